import type { Lateness } from './monitor/headRace.js'

/** What is known of an endpoint's worth, whatever API it speaks. */
export interface EndpointWorth {
  /** Endpoints of one provider count once towards agreement. */
  readonly provider: string
  /** Why nothing it says is believed, else null. */
  readonly distrust: string | null
  /** False while it rests after failures. */
  readonly rested: boolean
  readonly lateness: Lateness
}

const RANK: Record<Lateness, number> = { none: 0, behind: 1, stands: 2 }

const rankOf = ({ rested, lateness }: EndpointWorth): number => (rested ? 0 : 3) + RANK[lateness]

/** The trusted ones in the order to try them: those that are late after the others, those that rest last. */
export const inOrder = <Endpoint extends EndpointWorth>(turned: readonly Endpoint[]): readonly Endpoint[] =>
  turned.filter(({ distrust }) => distrust === null).sort((left, right) => rankOf(left) - rankOf(right))

/** The best one of each provider, of those that are trusted and do not stand still: whose agreement counts. In given order. */
export const votersOf = <Endpoint extends EndpointWorth>(endpoints: readonly Endpoint[]): readonly Endpoint[] => {
  const chosen = new Map<string, Endpoint>()
  for (const endpoint of endpoints) {
    if (endpoint.distrust !== null || endpoint.lateness === 'stands') continue
    const known = chosen.get(endpoint.provider)
    if (known === undefined || rankOf(endpoint) < rankOf(known)) chosen.set(endpoint.provider, endpoint)
  }
  return [...chosen.values()]
}
