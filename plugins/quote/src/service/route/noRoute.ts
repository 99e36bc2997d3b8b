import { ServiceError } from '@causeway/core'
import type { SwapLimits } from '@causeway/core/chain'
import type { RouteLimits } from '../input/swapLimits.js'
import type { ResolvedRoute, RouteEnd } from './resolveRoute.js'

/** Which sides of a way need a swap. */
export interface SwapNeeds {
  readonly origin: boolean
  readonly destination: boolean
}

const usableSources = ({ chain }: RouteEnd, { included, excluded = [] }: SwapLimits): readonly string[] =>
  (chain.adapter.swaps?.sources ?? []).filter(
    (name) => (included === undefined || included.includes(name)) && !excluded.includes(name),
  )

const silentAmong = ({ chain }: RouteEnd, names: readonly string[]): readonly string[] =>
  chain.adapter.swaps?.silentSources?.().filter((name) => names.includes(name)) ?? []

/**
 * Why nothing leads from one currency to the other (wire.md C.1), by the ways that were looked at:
 * `NO_INTERNAL_SWAP_ROUTES_FOUND` without any, since the solver holds neither and may not swap; `NO_QUOTES` when the
 * caller's lists leave no source to ask; `SWAP_QUOTE_FAILED` when all depend on a source that did not answer; else
 * `NO_SWAP_ROUTES_FOUND`.
 */
export const noRoute = (
  { origin, destination }: ResolvedRoute,
  limits: RouteLimits,
  ways: readonly SwapNeeds[],
): ServiceError => {
  const [from, to] = [origin, destination].map(
    ({ chain, currency }) => `${currency.symbol} on chain ${chain.config.id}`,
  )
  if (ways.length === 0) {
    return new ServiceError(
      'NO_INTERNAL_SWAP_ROUTES_FOUND',
      `Without a swap nothing leads from ${from} to ${to}, and none is possible or allowed here`,
    )
  }
  const usable = {
    origin: usableSources(origin, limits.origin),
    destination: usableSources(destination, limits.destination),
  }
  const needs = (way: SwapNeeds, isSo: (side: keyof SwapNeeds) => boolean): boolean =>
    (way.origin && isSo('origin')) || (way.destination && isSo('destination'))
  if (ways.every((way) => needs(way, (side) => usable[side].length === 0))) {
    return new ServiceError('NO_QUOTES', `The lists of swap sources leave none to ask for ${from} to ${to}`)
  }
  const silent = {
    origin: silentAmong(origin, usable.origin),
    destination: silentAmong(destination, usable.destination),
  }
  if (ways.every((way) => needs(way, (side) => silent[side].length > 0))) {
    const names = [...new Set([...silent.origin, ...silent.destination])].join(', ')
    return new ServiceError('SWAP_QUOTE_FAILED', `${names} did not answer, and no other source swaps ${from} to ${to}`)
  }
  return new ServiceError('NO_SWAP_ROUTES_FOUND', `No route leads from ${from} to ${to}`)
}
