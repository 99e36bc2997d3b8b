import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { Payout, Prices, Simulation } from '@causeway/core/chain'
import { type Chain, type Usd, usdValue } from '@causeway/core/plugin'

/** Network fee that a transaction for a user is expected to take. */
export interface RelayFee {
  readonly native: Currency
  /** Worth of one whole unit of it. */
  readonly price: Usd
  /** Native smallest unit. */
  readonly fee: bigint
  readonly usd: Usd
}

export interface RelayFeeDeps {
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
}

/** Throws what prices and chains throw. */
export const relayFee = async (
  { currencies, prices }: RelayFeeDeps,
  {
    chain,
    payout,
    simulation,
  }: { readonly chain: Chain; readonly payout: Payout; readonly simulation: Extract<Simulation, { ok: true }> },
): Promise<RelayFee> => {
  const native = currencies.native(chain.config.id)
  if (native === undefined) throw new Error(`Chain ${chain.config.id} has no native currency.`)
  const [{ network }, [price]] = await Promise.all([
    chain.adapter.estimatePayoutFee(payout, simulation),
    prices.get([native]),
  ])
  if (price === undefined) throw new Error('Prices answers for each currency it is asked for')
  const fee = network.amount
  return { native, price: price.usd, fee, usd: usdValue({ currency: native, amount: fee }, price.usd) }
}
