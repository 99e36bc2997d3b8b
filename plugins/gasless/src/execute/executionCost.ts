import { applyBps } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { amountForUsd, type BalanceCurrency, type Chain } from '@causeway/core/plugin'
import { type RelayFee, type RelayFeeDeps, relayFee } from '../losses/relayFee.js'
import type { Passed } from './trial.js'

/** Expected cost of a call. */
export interface ExecutionCost extends RelayFee {
  /** Most that its transaction may take. */
  readonly feeLimit: bigint
  /** Smallest unit of the currency of balances, rounded up; null: this deployment keeps none. */
  readonly inBalance: bigint | null
}

export interface ExecutionCostDeps extends RelayFeeDeps {
  readonly balanceCurrency: BalanceCurrency | null
  readonly feeToleranceBps: bigint
}

/** Throws what prices and chains throw. */
export const costOf = async (
  deps: ExecutionCostDeps,
  sent: { readonly chain: Chain; readonly payout: Payout; readonly simulation: Passed },
): Promise<ExecutionCost> => {
  const { currencies, prices, balanceCurrency, feeToleranceBps } = deps
  const balance =
    balanceCurrency === null ? undefined : currencies.find(balanceCurrency.chainId, balanceCurrency.address)
  const [cost, [ofBalance]] = await Promise.all([
    relayFee(deps, sent),
    balance === undefined ? [] : prices.get([balance]),
  ])
  return {
    ...cost,
    feeLimit: applyBps(cost.fee, feeToleranceBps, 'up'),
    inBalance:
      balance === undefined || ofBalance === undefined ? null : amountForUsd(cost.usd, balance, ofBalance.usd, 'up'),
  }
}
