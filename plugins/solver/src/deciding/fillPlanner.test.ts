import type { Simulation } from '@causeway/core/chain'
import type { RepriceDecision } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import type { LaneContext } from '../laneContext.js'
import { FillPlanner, type PlannedOrder } from './fillPlanner.js'

const destination = { chainId: 1, currency: '0xc' }
const terms = { orderId: '0x0d', recipient: { address: '0xa' }, destination, payoutAmount: 5n }

const planOf = (simulation: Simulation) => {
  const adapter = {
    native: { address: 'native' },
    simulate: async () => simulation,
    estimatePayoutFee: async () => ({ validForMs: 1000, network: { currency: 'native', amount: 1n } }),
  }
  const lane = {
    ...{ address: '0x5', limits: [], clock: { now: () => 7 }, options: { gasToleranceBps: 0, gasToleranceUsd: '0' } },
    chain: { adapter, config: { id: 1, rpc: [{ http: 'http://0', provider: '0' }], confirmations: { fill: 1 } } },
  }
  // CAST: a plan of an order whose inventory is kept reads no more of the lane.
  const planner = new FillPlanner(lane as unknown as LaneContext)
  // CAST: nor of the order.
  const order = { requestId: '0x0e', terms, committed: true } as unknown as PlannedOrder
  // CAST: nor of the decision.
  const reprice = { action: 'fill', amount: 5n, fees: 0n, networkFee: 1n, excess: 0n } as unknown as Extract<
    RepriceDecision,
    { action: 'fill' }
  >
  return planner.plan(order, reprice)
}

it('a fill keeps which part of it was not simulated', async () => {
  expect(await planOf({ ok: true, gas: 3n, block: 1n, notRun: 'Its code is in a library.' })).toMatchObject({
    ...{ kind: 'fill', payment: { data: { gas: '3', notRun: 'Its code is in a library.' } } },
  })
})
