import type { BenchWorld } from '../benchWorld.js'
import { measureAddresses } from '../bitcoin/addresses.js'
import { measureCatchUp } from '../bitcoin/catchUp.js'
import { measureCoins } from '../bitcoin/coins.js'
import { measureSights } from '../bitcoin/sights.js'
import type { Measurement } from '../table.js'

/** (r) Bitcoin: mempool sight to `pending`, catching up, choice of coins, addresses. */
export const measureBitcoin = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureSights(world)),
  ...(await measureCatchUp(world)),
  ...(await measureCoins(world)),
  ...(await measureAddresses(world)),
]
