import { type Currency, ServiceError } from '@causeway/core'
import { largestPayable, leastPayable } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'
import type { QuoteInput } from '../input/quoteInput.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** Amounts that single payments on the two chains of a pair can carry (chains.md xrpvm 10). */
export interface Payable {
  /** Largest payout not above this one. */
  payout(amount: bigint): bigint
  /** Least deposit not below this one. */
  deposit(amount: bigint): bigint
}

interface PayableEnd {
  readonly chain: Pick<Chain, 'adapter'>
  readonly currency: Pick<Currency, 'address'>
}

/** Of a deposit at one end and a payout at the other. */
export const payableBetween = (deposit: PayableEnd, payout: PayableEnd): Payable => ({
  payout: (amount) => largestPayable(payout.chain.adapter, { currency: payout.currency.address, amount }),
  deposit: (amount) => leastPayable(deposit.chain.adapter, { currency: deposit.currency.address, amount }),
})

/**
 * The input with an amount that one payment of its chain can carry (chains.md xrpvm 10). An expected output, which may end below (wire.md
 * D.5), comes down to it. Throws ServiceError `INVALID_REQUEST` for an exact amount that cannot be paid exactly.
 */
export const payableInput = (
  input: QuoteInput,
  { origin, destination }: Pick<ResolvedRoute, 'origin' | 'destination'>,
): QuoteInput => {
  const { amount, tradeType } = input
  const { chain, currency } = tradeType === 'EXACT_INPUT' ? origin : destination
  const payable = largestPayable(chain.adapter, { currency: currency.address, amount })
  if (payable === amount) return input
  if (tradeType === 'EXPECTED_OUTPUT' && payable > 0n) return { ...input, amount: payable }
  throw new ServiceError(
    'INVALID_REQUEST',
    `body.amount is none that one payment of ${currency.symbol} on chain ${chain.config.id} can carry; the nearest below it is ${payable}`,
  )
}
