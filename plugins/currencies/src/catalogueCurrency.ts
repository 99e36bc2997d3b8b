import type { Currency } from '@causeway/core'
import { type MatchRank, matchRank } from '@causeway/core/plugin'

/** A currency with what decides whether and where it stands in an answer. */
export interface CatalogueCurrency {
  readonly currency: Currency
  /** From the configuration: the solver holds it. */
  readonly held: boolean
  /** One of the default currencies. */
  readonly listed: boolean
  readonly depositAddress: boolean
}

/** Identity of a currency. */
export const currencyKey = (chainId: number, address: string): string => `${chainId}:${address}`

/** How well symbol, name and address answer `term`, which is lower-case. */
export const rankOf = ({ symbol, name, address }: Currency, term: string): MatchRank | null =>
  matchRank(
    [symbol, name, address].map((text) => text.toLowerCase()),
    term,
  )

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
const trueFirst = (left: boolean, right: boolean): number => Number(right) - Number(left)

/** Best match first, then what the solver holds, then default, then verified, then by symbol. */
export const compareFound =
  (term: string | undefined) =>
  (left: CatalogueCurrency, right: CatalogueCurrency): number => {
    const rank = (found: CatalogueCurrency): number => (term === undefined ? 0 : (rankOf(found.currency, term) ?? 3))
    return (
      rank(left) - rank(right) ||
      trueFirst(left.held, right.held) ||
      trueFirst(left.listed, right.listed) ||
      trueFirst(left.currency.metadata.verified, right.currency.metadata.verified) ||
      compareText(left.currency.symbol.toLowerCase(), right.currency.symbol.toLowerCase()) ||
      left.currency.chainId - right.currency.chainId ||
      compareText(left.currency.address, right.currency.address)
    )
  }
