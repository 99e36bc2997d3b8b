import { openAddressBench } from '../addresses/addressBench.js'
import { measureAddressQuotes } from '../addresses/addressQuotes.js'
import { measureLive } from '../addresses/liveAddresses.js'
import { measurePayments } from '../addresses/payments.js'
import type { BenchWorld } from '../benchWorld.js'
import type { Measurement } from '../table.js'

/**
 * (t) Addresses to pay to: what very many of them cost in calls and memory, a quote that gives one, a payment until its sweep, and dust by
 * the thousand to one of them.
 */
export const measureAddresses = async (world: BenchWorld): Promise<Measurement[]> => {
  const bench = await openAddressBench(world)
  try {
    return [...(await measureLive(bench)), ...(await measureAddressQuotes(bench)), ...(await measurePayments(bench))]
  } finally {
    await bench.close()
  }
}
