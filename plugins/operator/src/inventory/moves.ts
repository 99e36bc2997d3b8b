import { type Currency, type CurrencyRegistry, formatAmount } from '@causeway/core'
import { neededFor } from './cover.js'

/** What is read of the inventory of a chain. */
export interface HeldCurrencies {
  readonly chainId: number
  readonly slug: string
  readonly wallet: string
  readonly currencies: readonly {
    readonly currency: { readonly currency: string }
    readonly available: string
    readonly paidInWeek: string
    readonly daysOfCover: string | null
  }[]
}

/** A currency that runs short, and from where it could be filled up. */
export interface Move {
  readonly chainId: number
  readonly currency: string
  readonly daysOfCover: string
  /** What is missing for three days at the pace of the last week, smallest unit. */
  readonly missing: string
  /** The other chain with the most of the same asset to spare; null where none has any. */
  readonly from: { readonly chainId: number; readonly currency: string; readonly spare: string } | null
  /** The same as a sentence. */
  readonly says: string
}

/** Less than this runs short. */
const SHORT_DAYS = 1n
/** For so long it is to last afterwards, and what lasts longer can be spared. */
const WANTED_DAYS = 3n

/** One currency of one chain, with what it has and needs. */
interface Stock {
  readonly slug: string
  readonly wallet: string
  readonly currency: Currency
  readonly available: bigint
  readonly paidInWeek: bigint
  readonly daysOfCover: string | null
}

const stocksOf = (currencies: CurrencyRegistry, chains: readonly HeldCurrencies[]): readonly Stock[] =>
  chains.flatMap(({ chainId, slug, wallet, currencies: held }) =>
    held.flatMap((item): readonly Stock[] => {
      const currency = currencies.find(chainId, item.currency.currency)
      if (currency === undefined) return []
      const { daysOfCover } = item
      return [
        { slug, wallet, currency, daysOfCover, available: BigInt(item.available), paidInWeek: BigInt(item.paidInWeek) },
      ]
    }),
  )

const isShort = ({ available, paidInWeek }: Stock): boolean =>
  paidInWeek > 0n && available < neededFor(SHORT_DAYS, paidInWeek)

const spareOf = ({ available, paidInWeek }: Stock): bigint => available - neededFor(WANTED_DAYS, paidInWeek)

/** The same asset has other decimals on other chains: amounts are compared as if each had the most of them. */
const MOST_DECIMALS = 36
const scaled = (amount: bigint, { decimals }: Currency): bigint => amount * 10n ** BigInt(MOST_DECIMALS - decimals)

const sourceOf = (short: Stock, stocks: readonly Stock[]): Stock | null =>
  stocks
    .filter(
      ({ currency }) => currency.groupId === short.currency.groupId && currency.chainId !== short.currency.chainId,
    )
    .filter((stock) => spareOf(stock) > 0n && stock.currency.decimals <= MOST_DECIMALS)
    .reduce<Stock | null>((best, stock) => {
      if (best === null) return stock
      return scaled(spareOf(stock), stock.currency) > scaled(spareOf(best), best.currency) ? stock : best
    }, null)

const moneyText = (amount: bigint, { decimals, symbol }: Currency): string =>
  `${formatAmount(amount, decimals)} ${symbol}`

const moveOf = (short: Stock, stocks: readonly Stock[]): Move => {
  const { currency, slug, wallet, daysOfCover } = short
  const missing = neededFor(WANTED_DAYS, short.paidInWeek) - short.available
  const source = sourceOf(short, stocks)
  const days = daysOfCover ?? '0.0'
  const where =
    source === null
      ? 'no other chain has any to spare.'
      : `${source.slug} has ${moneyText(spareOf(source), source.currency)} to spare.`
  return {
    chainId: currency.chainId,
    currency: currency.address,
    daysOfCover: days,
    missing: missing.toString(),
    from:
      source === null
        ? null
        : {
            chainId: source.currency.chainId,
            currency: source.currency.address,
            spare: spareOf(source).toString(),
          },
    says: `${currency.symbol} on ${slug} lasts ${days} days. Move ${moneyText(missing, currency)} to ${wallet} there; ${where}`,
  }
}

/** What to move where, one sentence for each currency of a chain that does not last a day. */
export const findMoves = (currencies: CurrencyRegistry, chains: readonly HeldCurrencies[]): readonly Move[] => {
  const stocks = stocksOf(currencies, chains)
  return stocks
    .filter(isShort)
    .map((stock) => moveOf(stock, stocks))
    .sort((left, right) => Number(left.daysOfCover) - Number(right.daysOfCover))
}
