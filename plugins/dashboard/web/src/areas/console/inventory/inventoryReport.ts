import type { ShownCurrency } from '../parts/money/shownMoney.js'

/** What is read of `causeway inventory --json`; amounts in the smallest unit. */
export interface InventoryReport {
  readonly at: string
  readonly chains: readonly ChainInventory[]
  readonly moves: readonly { readonly chainId: number; readonly currency: string; readonly says: string }[]
}

export interface SenderInventory {
  readonly currency: ShownCurrency
  readonly onChain: string | null
  readonly booked: string
  readonly difference: string | null
  readonly explanation: string | null
}

export interface ChainInventory {
  readonly chainId: number
  readonly slug: string
  readonly reachable: boolean
  readonly why: string | null
  readonly height: string | null
  readonly wallet: string
  readonly depository: string
  readonly senders: SenderInventory | null
  readonly currencies: readonly CurrencyInventory[]
}

export interface CurrencyInventory {
  readonly currency: ShownCurrency
  readonly onChain: string | null
  readonly reserved: string
  readonly booked: string
  readonly difference: string | null
  readonly explanation: string | null
  readonly unpaid: string
  readonly owedFills: string
  readonly holds: string
  readonly available: string
  readonly paidInWeek: string
  readonly daysOfCover: string | null
  readonly availableUsd: string | null
  readonly depositoryOnChain: string | null
  readonly depositoryBooked: string
  readonly depositoryDifference: string | null
  readonly depositoryExplanation: string | null
  readonly withdrawable: string
  readonly atAddresses: string
}

/** A currency with the chain that it is of. */
export interface Stock extends CurrencyInventory {
  readonly chain: ChainInventory
}

export const stocksOf = (chains: readonly ChainInventory[]): readonly Stock[] =>
  chains.flatMap((chain) => chain.currencies.map((item) => ({ ...item, chain })))

/** What payouts will take: those not on their chain yet, and fills that are decided. */
export const committedOf = ({ unpaid, owedFills }: CurrencyInventory): string =>
  (BigInt(unpaid) + BigInt(owedFills)).toString()

/** Difference of wallet and depository from the ledger, below 0 if they hold less; absent if they agree. */
export const apartOf = ({ difference, depositoryDifference }: CurrencyInventory) =>
  (
    [
      { what: 'wallet', amount: difference ?? '0' },
      { what: 'depository', amount: depositoryDifference ?? '0' },
    ] as const
  ).filter(({ amount }) => BigInt(amount) !== 0n)

export type BooksState = 'agree' | 'explained' | 'differ' | 'unread'

/** How wallet and depository stand to the books. */
export const booksStateOf = (item: CurrencyInventory): BooksState => {
  if (item.difference === null) return 'unread'
  const differences = [
    [item.difference, item.explanation],
    [item.depositoryDifference ?? '0', item.depositoryExplanation],
  ] as const
  const open = differences.filter(([difference]) => BigInt(difference) !== 0n)
  if (open.length === 0) return 'agree'
  return open.every(([, explanation]) => explanation !== null) ? 'explained' : 'differ'
}
