import { type BurntGas, type StoredPayout, toChainPayout } from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/**
 * Gas that a fill burnt by the doing of its own order: its transaction reverted on the chain, and nothing says that the solver
 * was short. The order's refund pays for it (faults.md F124). Null: nothing was burnt, or by the solver's own fault.
 */
export const burntGas = async (lane: LaneContext, payout: StoredPayout): Promise<BurntGas | null> => {
  const reverted = payout.live.filter(({ kind, state }) => kind === 'pay' && state === 'reverted')
  const amount = reverted.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
  if (payout.purpose !== 'fill' || amount === 0n) return null
  const simulation = await lane.chain.adapter.simulate(toChainPayout(payout))
  const blameless = !simulation.ok && (simulation.kind === 'insufficient-funds' || simulation.kind === 'transient')
  return blameless ? null : { chainId: payout.chainId, amount }
}
