import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { measureBurst } from '../ton/burst.js'
import { measureCatchUp } from '../ton/catchUp.js'
import { measurePayouts } from '../ton/payouts.js'

/** (z) TON: what the service adds between a node's answer and a payout, catching up, many fills in one request of a wallet. */
export const measureTon = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureCatchUp(world)),
  ...(await measurePayouts(world)),
  ...(await measureBurst(world)),
]
