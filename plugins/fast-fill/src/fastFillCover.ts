import { applyBps, BPS, type Currency, type CurrencyRegistry, divide, ServiceError } from '@causeway/core'
import type { Prices } from '@causeway/core/chain'
import {
  amountForUsd,
  type BalanceCurrency,
  type FastFillCover,
  type QuoteTerms,
  type Usd,
  usdValue,
} from '@causeway/core/plugin'

/** What a fast fill is worth, by the prices of now. */
export interface FastFillWorth {
  readonly cover: FastFillCover
  /** What the solver would pay. */
  readonly fillUsd: Usd
  /** What a whole unit of the currency of balances costs. */
  readonly balance: { readonly currency: Currency; readonly price: Usd }
}

export interface FastFillCoverDeps {
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly balanceCurrency: BalanceCurrency
  readonly marginBps: number
  readonly volatilityBpsPerHour: number
  readonly deadlineMinutes: number
}

const undeterminable = (): ServiceError =>
  new ServiceError('INVALID_REQUEST', 'A currency of this request cannot be determined or priced now')

/**
 * What is set aside beyond the worth of a deposit, basis points (wire.md G.3): `marginBps` and, for another asset than the balances,
 * `volatilityBpsPerHour` for the time that the deposit may take.
 */
const marginOf = (
  { marginBps, volatilityBpsPerHour, deadlineMinutes }: FastFillCoverDeps,
  isSameAsset: boolean,
): bigint =>
  BigInt(marginBps) +
  (isSameAsset ? 0n : divide(BigInt(volatilityBpsPerHour) * BigInt(deadlineMinutes), MINUTES_PER_HOUR, 'up'))

const MINUTES_PER_HOUR = 60n

/**
 * What is set aside for a deposit of `amount` that is to come: its worth in the currency of balances, rounded up, and the margin. Throws
 * ServiceError INVALID_REQUEST where a currency is not held here any more, SERVICE_UNAVAILABLE and such while there is no price.
 */
export const fastFillWorth = async (
  deps: FastFillCoverDeps,
  { origin, destination, depositAmount, payoutAmount }: QuoteTerms,
  amount: bigint,
): Promise<FastFillWorth> => {
  const { currencies, prices, balanceCurrency } = deps
  const from = currencies.find(origin.chainId, origin.currency)
  const to = currencies.find(destination.chainId, destination.currency)
  const into = currencies.find(balanceCurrency.chainId, balanceCurrency.address)
  if (from === undefined || to === undefined || into === undefined) throw undeterminable()
  const [fromPrice, toPrice, intoPrice] = await prices.get([from, to, into])
  if (fromPrice === undefined || toPrice === undefined || intoPrice === undefined) throw undeterminable()
  const isSame = from.chainId === into.chainId && from.address === into.address
  const worth = isSame ? amount : worthIn({ currency: from, amount }, fromPrice.usd, into, intoPrice.usd)
  if (worth === 0n) throw new ServiceError('AMOUNT_TOO_LOW', 'The deposit is worth nothing')
  const collateral = applyBps(worth, BPS + marginOf(deps, from.groupId === into.groupId), 'up')
  const pays = divide(payoutAmount * amount, depositAmount, 'up')
  return {
    cover: { chainId: into.chainId, currency: into.address, worth, collateral },
    fillUsd: usdValue({ currency: to, amount: pays }, toPrice.usd),
    balance: { currency: into, price: intoPrice.usd },
  }
}

/** Rounded up. */
const worthIn = (
  money: { readonly currency: Currency; readonly amount: bigint },
  price: Usd,
  into: Currency,
  intoPrice: Usd,
): bigint => amountForUsd(usdValue(money, price) + 1n, into, intoPrice, 'up')
