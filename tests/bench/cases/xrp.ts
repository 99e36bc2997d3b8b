import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'
import { measureAddresses } from '../xrp/addresses.js'
import { measureCatchUp } from '../xrp/catchUp.js'
import { measurePayouts } from '../xrp/payouts.js'

/** (u) The XRP Ledger: what the service adds between a deposit and its payout, catching up, addresses. */
export const measureXrp = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measurePayouts(world)),
  ...(await measureCatchUp(world)),
  ...(await measureAddresses(world)),
]
