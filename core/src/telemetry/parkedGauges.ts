import type { Pool } from 'pg'
import type { ChainRegistry } from '../chain/chainRegistry.js'
import { countParkedDeposits, PARKED_KINDS } from '../deposit/parked/countParkedDeposits.js'
import type { MetricSource, Sample } from './metrics.js'

export interface ParkedGaugesDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  /** Milliseconds that only grow. */
  now(): number
}

/** What is parked waits for a person: nobody needs to know it sooner. */
const KEEP_MS = 10_000
const GAUGE = 'causeway_parked_deposits'

/** How many deposits `causeway parked list` would list, by chain and why. */
export const parkedGauges = ({ pool, chains, now }: ParkedGaugesDeps): MetricSource => {
  const slugs = new Map(chains.all().map(({ config }) => [config.id, config.slug]))
  let last: { readonly at: number; readonly samples: readonly Sample[] } | null = null
  const none = [...slugs.values()].flatMap((chain) =>
    PARKED_KINDS.map((reason): Sample => ({ gauge: GAUGE, labels: { chain, reason }, value: 0 })),
  )
  return {
    name: 'parked',
    gauges: [
      {
        name: GAUGE,
        help: 'Deposits of which money is parked: of no request, not refunded, or excess not worth its gas; the same on every host: aggregate with max',
        labels: { chain: [...slugs.values()], reason: PARKED_KINDS },
      },
    ],
    read: async () => {
      if (last !== null && now() - last.at < KEEP_MS) return last.samples
      const counts = await countParkedDeposits(pool)
      const found = counts.map(({ chainId, reason, deposits }) => ({
        gauge: GAUGE,
        labels: { chain: slugs.get(chainId) ?? '', reason },
        value: deposits,
      }))
      last = { at: now(), samples: [...none, ...found] }
      return last.samples
    },
  }
}
