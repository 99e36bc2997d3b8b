import type { BenchWorld } from '../benchWorld.js'
import { measureAddresses } from '../bitcoin/addresses.js'
import { measureCatchUp } from '../bitcoin/catchUp.js'
import { measureCoins } from '../bitcoin/coins.js'
import { measureMempoolDeposits } from '../bitcoin/mempoolDeposits.js'
import type { Measurement } from '../table.js'

/** (r) Bitcoin: a deposit in the mempool to `pending`, catching up, choice of coins, addresses. */
export const measureBitcoin = async (world: BenchWorld): Promise<Measurement[]> => [
  ...(await measureMempoolDeposits(world)),
  ...(await measureCatchUp(world)),
  ...(await measureCoins(world)),
  ...(await measureAddresses(world)),
]
