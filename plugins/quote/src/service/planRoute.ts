import { type Currency, ServiceError } from '@causeway/core'
import type { PairClass, QuoteSettings } from '../options.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** How value gets from origin to destination. So far the solver's own inventory of one asset on two chains. */
export interface RoutePlan {
  /** `details.operation` (wire.md 1.6). */
  readonly operation: 'bridge'
  /** `requestType` of the record (wire.md K.1 9). */
  readonly requestType: 'Bridge'
  readonly pairClass: PairClass
  readonly sameAsset: boolean
}

/** Class that decides the platform fee (wire.md D.1). */
export const classifyPair = (origin: Currency, destination: Currency, settings: QuoteSettings): PairClass => {
  if (origin.groupId === destination.groupId) return 'bridge'
  const symbols = [origin.symbol.toUpperCase(), destination.symbol.toUpperCase()]
  if (symbols.every((symbol) => settings.stableSymbols.has(symbol))) return 'stable'
  const known = (symbol: string) => settings.majorSymbols.has(symbol) || settings.stableSymbols.has(symbol)
  return symbols.every(known) ? 'major' : 'minor'
}

/** Throws ServiceError `UNSUPPORTED_ROUTE` or `NO_SWAP_ROUTES_FOUND` for what the solver cannot serve. */
export const planRoute = ({ origin, destination }: ResolvedRoute, settings: QuoteSettings): RoutePlan => {
  const pairClass = classifyPair(origin.currency, destination.currency, settings)
  if (origin.chain.config.id === destination.chain.config.id) {
    throw new ServiceError('UNSUPPORTED_ROUTE', 'Transfers and swaps within one chain are not served here')
  }
  if (pairClass !== 'bridge') {
    const pair = `${origin.currency.symbol} to ${destination.currency.symbol}`
    throw new ServiceError('NO_SWAP_ROUTES_FOUND', `No route swaps ${pair}; the same asset on both chains is served`)
  }
  return { operation: 'bridge', requestType: 'Bridge', pairClass, sameAsset: true }
}
