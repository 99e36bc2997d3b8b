import type { BenchWorld } from '../benchWorld.js'
import { EXCHANGES } from '../exchanges/exchanges.js'
import { measurePayouts } from '../exchanges/payouts.js'
import type { Measurement } from '../table.js'

/** (B) Hyperliquid and Lighter: time from their ledgers' own update to the payout. */
export const measureExchanges = async (world: BenchWorld): Promise<Measurement[]> => {
  const measured: Measurement[] = []
  for (const exchange of EXCHANGES) measured.push(...(await measurePayouts(world, exchange)))
  return measured
}
