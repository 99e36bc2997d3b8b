import type { AddressDetails } from '../addresses/addressView.js'
import type { WalletReport } from '../balances/owedReport.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'

/** What is read of `causeway explain --json`. */
export interface Explanation {
  readonly id: string
  readonly explainedAt: string
  readonly meanings: readonly string[]
  readonly wallet: WalletReport | null
  readonly requests: readonly RequestExplanation[]
  readonly parkedDeposits: readonly ParkedExplanation[]
  readonly unpaidQuotes: readonly QuoteExplanation[]
  readonly addresses: readonly AddressDetails[]
  readonly importedTransactions: readonly ImportedExplanation[]
  readonly more: boolean
}

export interface QuoteExplanation {
  readonly requestId: string
  readonly orderId: string
  readonly tradeType: string
  readonly user: string
  readonly recipient: string
  readonly refundTo: string | null
  readonly in: ShownMoney
  readonly minimumIn: ShownMoney
  readonly out: ShownMoney
  readonly minimumOut: ShownMoney
  readonly fees: ShownMoney
  readonly fillCost: ShownMoney
  readonly earnings: readonly Earning[]
  readonly sponsor: { readonly wallet: string; readonly money: ShownMoney } | null
  readonly quotedAt: string
  readonly priceUntil: string
  readonly orderDeadline: string
}

export interface Earning {
  readonly wallet: string
  readonly kind: string
  readonly bps: string | null
  readonly money: ShownMoney
}

/** What a request and a parked deposit have in common. */
export interface Story {
  readonly payouts: readonly PayoutExplanation[]
  readonly timeline: readonly TimelineEntry[]
  readonly ledger: LedgerExplanation
  readonly byHand: readonly ByHand[]
  readonly problems: readonly string[]
  readonly next: readonly NextAction[]
}

export interface Relative {
  readonly requestId: string
  readonly status: string
  readonly failReason: string | null
}

export interface RequestExplanation extends Story {
  readonly requestId: string
  readonly status: string
  readonly failReason: string | null
  /** Why it was not paid, where `failReason` says that an operator sent the money back. */
  readonly firstFailReason: string | null
  readonly refundFailReason: string | null
  readonly details: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly integratorId: string | null
  readonly referrer: string | null
  readonly quote: QuoteExplanation
  readonly parent: Relative | null
  readonly children: readonly Relative[]
  readonly supersededBy: string | null
  readonly cameBy: {
    readonly address: string
    readonly transferTx: string | null
    readonly waitsFor: readonly string[]
  } | null
  readonly deposits: readonly DepositExplanation[]
}

export interface ParkedExplanation extends Story {
  readonly deposit: DepositExplanation
}

export interface DepositExplanation {
  readonly id: string
  readonly chainId: number
  readonly txId: string
  readonly position: number
  readonly state: string
  readonly money: ShownMoney
  readonly depositor: string
  readonly orderId: string | null
  readonly block: { readonly height: string; readonly hash: string; readonly time: string } | null
  readonly depth: string | null
  readonly seenAt: string
  readonly parkedReason: string | null
  readonly outcome: string | null
  readonly outcomeReason: string | null
  readonly withdrawnAt: string | null
  readonly reorg: unknown
}

export interface PayoutExplanation {
  readonly id: string
  readonly purpose: string
  readonly state: string
  readonly money: ShownMoney
  readonly fees: ShownMoney
  readonly earnings: readonly Earning[]
  readonly sponsor: { readonly wallet: string; readonly money: ShownMoney } | null
  readonly recipient: string
  readonly signer: string
  readonly createdAt: string
  readonly includedAt: string | null
  readonly includedHeight: string | null
  readonly retries: number
  readonly failReason: string | null
  readonly details: string | null
  readonly attempts: readonly Attempt[]
}

export interface Attempt {
  readonly generation: number
  readonly version: number
  readonly kind: string
  readonly txId: string
  readonly state: string
  readonly message: string | null
  readonly storedAt: string
  readonly broadcastAt: string | null
  readonly block: { readonly height: string; readonly hash: string } | null
  readonly fee: ShownMoney | null
}

export interface TimelineEntry {
  readonly at: string
  readonly kind: string
  readonly text: string
  readonly chainId: number | null
  readonly txId: string | null
  readonly block: string | null
}

export type LedgerMoney = ShownMoney & { readonly account: string; readonly holder: string | null }

export interface LedgerTransaction {
  readonly cause: string
  readonly event: string
  readonly at: string
  readonly entries: readonly LedgerMoney[]
}

export interface LedgerExplanation {
  readonly transactions: readonly LedgerTransaction[]
  readonly totals: readonly LedgerMoney[]
  readonly sumsToZero: boolean
}

export interface ByHand {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly reason: string | null
}

export interface NextAction {
  readonly of: string
  readonly action: string
  readonly at: string
  readonly due: string
}

export interface ImportedExplanation {
  readonly chainId: number
  readonly txId: string
  readonly signer: string
  readonly orderId: string | null
  readonly recipient: string
  readonly money: ShownMoney
  readonly status: string
  readonly payoutId: string | null
}
