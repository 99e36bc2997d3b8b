import { startCrossNetwork } from '../../solana/crossNetwork.js'
import type { BenchWorld } from '../benchWorld.js'
import { measureAddresses } from '../solana/addresses.js'
import { measureCatchUp } from '../solana/catchUp.js'
import { measurePayouts } from '../solana/payouts.js'
import { measureTwoVms } from '../solana/twoVms.js'
import type { Measurement } from '../table.js'

/** (h) Solana: what the service adds to a payout, catching up, addresses, and what a second VM costs a host. */
export const measureSolana = async (world: BenchWorld): Promise<Measurement[]> => {
  const addresses = await measureAddresses(world)
  const catchUp = await measureCatchUp(world)
  const network = await startCrossNetwork()
  try {
    return [
      ...(await measurePayouts(world, network)),
      ...catchUp,
      ...addresses,
      ...(await measureTwoVms(world, network)),
    ]
  } finally {
    await network.close()
  }
}
