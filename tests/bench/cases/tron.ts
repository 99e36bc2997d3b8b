import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { measureAddresses } from '../tron/addresses.js'
import { measureCatchUp } from '../tron/catchUp.js'
import { measurePayouts } from '../tron/payouts.js'

/** (A) Tron: what the service adds between a node's answer and a payout, catching up, addresses. */
export const measureTron = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureAddresses(world)),
  ...(await measureCatchUp(world)),
  ...(await measurePayouts(world)),
]
