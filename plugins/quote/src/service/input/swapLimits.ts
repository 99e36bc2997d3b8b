import { ServiceError } from '@causeway/core'
import type { SwapLimits } from '@causeway/core/chain'
import type { Chain, QuoteBody } from '@causeway/core/plugin'

const MAX_HOPS = 4
const DEFAULT_HOPS = 3

/** What the caller lets the swaps of each side use. */
export interface RouteLimits {
  readonly origin: SwapLimits
  readonly destination: SwapLimits
}

type ListField = 'includedSwapSources' | 'includedOriginSwapSources' | 'includedDestinationSwapSources'

/** Only those that no chain has would leave nothing: the caller's mistake. What is excluded and not there is not missed. */
const checkNames = (body: QuoteBody, field: ListField, chains: readonly Chain[]): void => {
  const known = new Set(chains.flatMap(({ adapter }) => adapter.swaps?.sources ?? []))
  const unknown = body[field]?.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new ServiceError(
    'INVALID_REQUEST',
    `body.${field} names ${JSON.stringify(unknown)}, which GET /swap-sources does not`,
  )
}

const both = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((name) => other.includes(name))

const sideLimits = (body: QuoteBody, own: readonly string[] | undefined, maxHops: number): SwapLimits => {
  const included = both(body.includedSwapSources, own)
  const excluded = body.excludedSwapSources
  return { maxHops, ...(included === undefined ? {} : { included }), ...(excluded === undefined ? {} : { excluded }) }
}

/** Throws ServiceError `INVALID_REQUEST` for a name that no swap source has. */
export const readSwapLimits = (body: QuoteBody, origin: Chain, destination: Chain): RouteLimits => {
  checkNames(body, 'includedSwapSources', [origin, destination])
  checkNames(body, 'includedOriginSwapSources', [origin])
  checkNames(body, 'includedDestinationSwapSources', [destination])
  const maxHops = Math.min(body.maxRouteLength ?? DEFAULT_HOPS, MAX_HOPS)
  return {
    origin: sideLimits(body, body.includedOriginSwapSources, maxHops),
    destination: sideLimits(body, body.includedDestinationSwapSources, maxHops),
  }
}
