import { applyBps, type Currency, type CurrencyRegistry } from '@causeway/core'
import type { Payout, Prices } from '@causeway/core/chain'
import { amountForUsd, type BalanceCurrency, type Chain, type Usd, usdValue } from '@causeway/core/plugin'
import type { Passed } from './trial.js'

/** What a call is expected to cost. */
export interface ExecutionCost {
  readonly native: Currency
  /** Worth of one whole unit of it. */
  readonly price: Usd
  /** Native smallest unit. */
  readonly fee: bigint
  /** Most that its transaction may take. */
  readonly feeLimit: bigint
  readonly usd: Usd
  /** Smallest unit of the currency of balances, rounded up; null: this deployment keeps none. */
  readonly inBalance: bigint | null
}

export interface ExecutionCostDeps {
  readonly currencies: CurrencyRegistry
  readonly prices: Prices
  readonly balanceCurrency: BalanceCurrency | null
  readonly feeToleranceBps: bigint
}

/** Throws what prices and chains throw. */
export const costOf = async (
  { currencies, prices, balanceCurrency, feeToleranceBps }: ExecutionCostDeps,
  { chain, payout, simulation }: { readonly chain: Chain; readonly payout: Payout; readonly simulation: Passed },
): Promise<ExecutionCost> => {
  const native = currencies.native(chain.config.id)
  if (native === undefined) throw new Error(`Chain ${chain.config.id} has no native currency.`)
  const balance =
    balanceCurrency === null ? undefined : currencies.find(balanceCurrency.chainId, balanceCurrency.address)
  const [{ network }, [ofNative, ofBalance]] = await Promise.all([
    chain.adapter.estimatePayoutFee(payout, simulation),
    prices.get(balance === undefined ? [native] : [native, balance]),
  ])
  if (ofNative === undefined) throw new Error('Prices answers for each currency it is asked for')
  const fee = network.amount
  const usd = usdValue({ currency: native, amount: fee }, ofNative.usd)
  return {
    native,
    price: ofNative.usd,
    fee,
    feeLimit: applyBps(fee, feeToleranceBps, 'up'),
    usd,
    inBalance:
      balance === undefined || ofBalance === undefined ? null : amountForUsd(usd, balance, ofBalance.usd, 'up'),
  }
}
