import type { AddressDetails } from '../addresses/addressView.js'
import type { ShownMovement, WalletBalances } from '../balances/walletBalances.js'
import type { ShownMoney } from '../text/moneyText.js'

/** The answer of `causeway explain --json`. Times are ISO 8601 in UTC; ids lower-case hex where the chain has hex. */
export interface Explanation {
  readonly schemaVersion: 1
  readonly id: string
  readonly explainedAt: string
  /** What the id is: `request id`, `order id`, `deposit transaction`, `user` ... */
  readonly meanings: readonly string[]
  /** What is owed to the address, where it is a wallet that has a balance or pays for an integrator; else null. */
  readonly wallet: WalletExplanation | null
  /** Newest first. */
  readonly requests: readonly RequestExplanation[]
  /** Deposits that belong to no request. */
  readonly parkedDeposits: readonly ParkedExplanation[]
  readonly unpaidQuotes: readonly QuoteExplanation[]
  /** Addresses to pay to that are meant, or that requests above came by; newest first. */
  readonly addresses: readonly AddressDetails[]
  /** Transactions of a payout key found on the chain that no payout here explains. */
  readonly importedTransactions: readonly ImportedExplanation[]
  /** There is more than was asked for: raise `--limit`. */
  readonly more: boolean
}

/** A wallet with what moved last, newest first. */
export interface WalletExplanation extends WalletBalances {
  readonly movements: readonly ShownMovement[]
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
  /** All that is kept of the deposit, the fill's network cost in it. */
  readonly fees: ShownMoney
  readonly fillCost: ShownMoney
  /** What wallets earn once it is filled as quoted. */
  readonly earnings: readonly Omit<EarningExplanation, 'settled'>[]
  /** Who pays for the user, and at most how much of it. */
  readonly sponsor: { readonly wallet: string; readonly money: ShownMoney } | null
  readonly quotedAt: string
  readonly priceUntil: string
  readonly orderDeadline: string
  readonly fillBy: string | null
}

export interface RequestExplanation {
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
  /** The address that it came by; null where the user deposited. */
  readonly cameBy: CameBy | null
  readonly deposits: readonly DepositExplanation[]
  readonly payouts: readonly PayoutExplanation[]
  readonly timeline: readonly TimelineEntry[]
  readonly ledger: LedgerExplanation
  readonly byHand: readonly ByHand[]
  readonly problems: readonly string[]
  readonly next: readonly NextAction[]
}

export interface CameBy {
  readonly addressId: string
  readonly address: string
  readonly type: 'open' | 'strict'
  /** The user's own transaction. */
  readonly transferTx: string | null
  /** What it waits for until it is paid; empty afterwards. */
  readonly waitsFor: readonly string[]
}

export interface ParkedExplanation {
  readonly deposit: DepositExplanation
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
  /** Blocks on top by the watcher's cursor, its own counted. */
  readonly depth: string | null
  readonly seenAt: string
  readonly parkedReason: string | null
  readonly outcome: string | null
  readonly outcomeReason: string | null
  readonly outcomeAt: string | null
  readonly withdrawnAt: string | null
  /** Evidence of a block that left the chain (wire.md 3.1 TX). */
  readonly reorg: unknown
}

export interface PayoutExplanation {
  readonly id: string
  readonly purpose: string
  readonly cause: string
  readonly state: string
  readonly money: ShownMoney
  /** Kept of the deposit when it is included. */
  readonly fees: ShownMoney
  /** What wallets earn by a fill: `settled` once they may claim it. */
  readonly earnings: readonly EarningExplanation[]
  /** Who pays for the user, and how much of it. */
  readonly sponsor: { readonly wallet: string; readonly money: ShownMoney } | null
  readonly recipient: string
  readonly signer: string
  readonly createdAt: string
  readonly includedAt: string | null
  readonly includedHeight: string | null
  readonly inclusions: number
  readonly retries: number
  readonly failReason: string | null
  readonly details: string | null
  /** Part of the payment that was not simulated before it was decided, and why; null: all of it was. */
  readonly notSimulated: string | null
  readonly generations: readonly {
    readonly generation: number
    readonly state: string
    readonly proof: string | null
    readonly guards: readonly string[]
  }[]
  readonly attempts: readonly AttemptExplanation[]
}

export interface EarningExplanation {
  readonly wallet: string
  /** `app`, `integrator` or `rate`. */
  readonly kind: string
  readonly bps: string | null
  readonly money: ShownMoney
  readonly settled: boolean
}

export interface AttemptExplanation {
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
  /** `quoted`, `deposit`, `status`, `decision`, `payout`, `signed`, `broadcast`, `included`, `reorg`, `by hand`. */
  readonly kind: string
  readonly text: string
  readonly chainId: number | null
  readonly txId: string | null
  readonly block: string | null
}

export interface LedgerExplanation {
  readonly transactions: readonly {
    readonly cause: string
    readonly event: string
    readonly at: string
    readonly entries: readonly LedgerMoney[]
  }[]
  /** Balance of every account touched, over all of these transactions. */
  readonly totals: readonly LedgerMoney[]
  readonly sumsToZero: boolean
}

/** `holder`: the integrator or wallet whose account it is. */
export type LedgerMoney = ShownMoney & { readonly account: string; readonly holder: string | null }

export interface ByHand {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly reason: string | null
}

export interface NextAction {
  /** `request`, or `payout 12`. */
  readonly of: string
  readonly action: string
  readonly at: string
  /** `in 12 s`, `overdue by 3 min`. */
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
