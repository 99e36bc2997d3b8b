import type { BenchWorld } from '../benchWorld.js'
import { measureCatchUp } from '../hedera/catchUp.js'
import { measurePayouts } from '../hedera/payouts.js'
import { measureSdk } from '../hedera/sdkCost.js'
import type { Measurement } from '../table.js'

/** (y) Hedera: what the service adds between a mirror node's answer and a payout, catching up, the cost of the SDK. */
export const measureHedera = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureSdk(world)),
  ...(await measureCatchUp(world)),
  ...(await measurePayouts(world)),
]
