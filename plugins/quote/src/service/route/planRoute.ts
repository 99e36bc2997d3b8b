import { type Currency, isPlainDestination, ServiceError, sameDestination } from '@causeway/core'
import type { DirectRequest } from '@causeway/core/chain'
import type { PairClass, QuoteSettings } from '../../options.js'
import type { QuoteInput } from '../input/quoteInput.js'
import { type Operation, operationOf } from './operation.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** `requestType` of the record (wire.md K.1 9). */
export type RequestType = 'Call' | 'Bridge' | 'Crosschain Swap' | 'Same-chain Swap' | 'Send' | 'Wrap' | 'Unwrap'

/** What a quote is about, by its currencies alone. */
export interface RoutePlan {
  readonly operation: Operation
  readonly requestType: RequestType
  readonly pairClass: PairClass
  readonly sameAsset: boolean
  /** How the user can do it alone on one chain; null: the solver is needed. */
  readonly direct: DirectRequest['kind'] | null
}

/** Class that decides the platform fee (wire.md D.1). */
export const classifyPair = (origin: Currency, destination: Currency, settings: QuoteSettings): PairClass => {
  if (origin.groupId === destination.groupId) return 'bridge'
  const symbols = [origin.symbol.toUpperCase(), destination.symbol.toUpperCase()]
  if (symbols.every((symbol) => settings.stableSymbols.has(symbol))) return 'stable'
  const known = (symbol: string) => settings.majorSymbols.has(symbol) || settings.stableSymbols.has(symbol)
  return symbols.every(known) ? 'major' : 'minor'
}

const REQUEST_TYPES = {
  bridge: 'Bridge',
  send: 'Send',
  wrap: 'Wrap',
  unwrap: 'Unwrap',
} as const satisfies Partial<Record<Operation, RequestType>>

/** How a user can move value alone on one chain, where the chain can build it. */
const directKind = (route: ResolvedRoute, input: QuoteInput, operation: Operation): DirectRequest['kind'] | null => {
  const { origin, destination, user, recipient } = route
  const { adapter } = origin.chain
  if (origin.chain !== destination.chain || input.calls !== null || input.forceSolverExecution) return null
  // What the user builds alone pays accounts; the solver pays owners within one.
  if (!isPlainDestination(recipient)) return null
  const isOwn = adapter.sameAddress(user, recipient.address)
  // Wrapping for somebody else takes a contract in between.
  const kind = operation === 'send' || isOwn ? operation : 'swap'
  if (kind === 'bridge' || !adapter.direct?.kinds.includes(kind)) return null
  return kind === 'swap' && input.disableOriginSwaps ? null : kind
}

/** Throws ServiceError `UNSUPPORTED_ROUTE` for what moves nothing. */
export const planRoute = (
  route: ResolvedRoute,
  input: QuoteInput,
  settings: QuoteSettings,
  /** `needsSolver`: something was asked for that only the solver can bring. `anyPayer`: others than the user may pay, so it moves something. */
  { needsSolver = false, anyPayer = false }: { readonly needsSolver?: boolean; readonly anyPayer?: boolean } = {},
): RoutePlan => {
  const { origin, destination, user, recipient } = route
  const operation = operationOf(route)
  const isOwn = sameDestination(origin.chain.adapter, { address: user }, recipient)
  if (operation === 'send' && isOwn && input.calls === null && !anyPayer) {
    throw new ServiceError(
      'UNSUPPORTED_ROUTE',
      'The same currency on the same chain for the same account moves nothing',
    )
  }
  const isWrap = operation === 'wrap' || operation === 'unwrap'
  const swapType = origin.chain === destination.chain ? 'Same-chain Swap' : 'Crosschain Swap'
  return {
    operation,
    requestType: input.calls !== null ? 'Call' : operation === 'swap' ? swapType : REQUEST_TYPES[operation],
    pairClass: isWrap ? 'bridge' : classifyPair(origin.currency, destination.currency, settings),
    sameAsset: isWrap || origin.currency.groupId === destination.currency.groupId,
    direct: needsSolver ? null : directKind(route, input, operation),
  }
}
