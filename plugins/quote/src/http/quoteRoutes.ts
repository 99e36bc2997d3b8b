import type { ErrorCode } from '@causeway/core'
import {
  defineRoute,
  PriceResponseSchema,
  QuoteBodySchema,
  type QuoteEngine,
  QuoteResponseSchema,
  type Route,
} from '@causeway/core/plugin'
import type { TSchema } from '@sinclair/typebox'
import { type QuoteKeyRuleDeps, type QuotePath, requireQuoteKey } from './quoteKeyRule.js'

export interface QuoteRoutesDeps extends QuoteKeyRuleDeps {
  readonly engine: QuoteEngine
}

interface Operation {
  readonly path: QuotePath
  readonly bucket: string
  readonly summary: string
  readonly answer: TSchema
  readonly changes?: boolean
}

const OPERATIONS: readonly Operation[] = [
  { path: '/quote/v2', bucket: 'quote', summary: 'Quote a transfer', answer: QuoteResponseSchema, changes: true },
  { path: '/quote', bucket: 'quote', summary: 'Quote a transfer', answer: QuoteResponseSchema, changes: true },
  { path: '/price', bucket: 'other', summary: 'Price a transfer without making a quote', answer: PriceResponseSchema },
]

/** What a quote or price may be refused for, beside what every operation may (wire.md C.1). */
const ERROR_CODES: readonly ErrorCode[] = [
  'UNAUTHORIZED_QUOTE',
  'INVALID_ADDRESS',
  'INVALID_RECIPIENT',
  'INVALID_SLIPPAGE_TOLERANCE',
  'INVALID_SUBSIDIZATION',
  'SOLANA_TX_TOO_LARGE',
  'UNSUPPORTED_CURRENCY',
  'PRICE_FETCH_FAILED',
  'DESTINATION_TX_FAILED',
  'AMOUNT_TOO_LOW',
  'CHAIN_DISABLED',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_ROUTE',
  'UNSUPPORTED_EXECUTION_TYPE',
  'ROUTE_TEMPORARILY_RESTRICTED',
  'EXTRA_TXS_NOT_SUPPORTED',
  'INVALID_EXTRA_TXS',
  'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
  'INVALID_INPUT_CURRENCY',
  'INVALID_OUTPUT_CURRENCY',
  'INSUFFICIENT_LIQUIDITY',
  'NO_QUOTES',
  'NO_SWAP_ROUTES_FOUND',
  'NO_INTERNAL_SWAP_ROUTES_FOUND',
  'SWAP_IMPACT_TOO_HIGH',
  'SWAP_QUOTE_FAILED',
  'ERC20_ROUTER_ADDRESS_NOT_FOUND',
  'USER_RECIPIENT_MISMATCH',
  'SANCTIONED_CURRENCY',
  'SANCTIONED_WALLET_ADDRESS',
  'BLOCKED_WALLET_ADDRESS',
]

/** What only whoever builds the deposit finds out: `/price` does not look at the coins of the user (wire.md 1.8). */
const DEPOSIT_CODES: readonly ErrorCode[] = ['INSUFFICIENT_FUNDS']

/** Of `/quote/v2` alone; elsewhere `SERVICE_UNAVAILABLE` (wire.md K.1 8). */
const UPSTREAM_CODES: readonly ErrorCode[] = ['REQUEST_TIMED_OUT', 'RPC_HTTP_ERROR']

/** Who needs a key for this, and from when on (wire.md 1.1 rule 1, K.1 7). */
const keyNote = (
  path: QuotePath,
  { referrerRequiresKey, quoteV2KeyRequiredFrom }: QuoteRoutesDeps['settings'],
): string => {
  const always = path === '/quote/v2' && Number.isFinite(quoteV2KeyRequiredFrom)
  const from = always ? [`From ${new Date(quoteV2KeyRequiredFrom).toISOString()} on every call needs an API key.`] : []
  const referrer = referrerRequiresKey ? ['A body with `referrer` needs an API key.'] : []
  return [...from, ...referrer].join(' ') || 'An API key is never needed.'
}

const quoteRoute = ({ path, answer, ...rest }: Operation, deps: QuoteRoutesDeps): Route =>
  defineRoute({
    ...rest,
    description: keyNote(path, deps.settings),
    method: 'POST',
    path,
    tags: ['quotes'],
    auth: 'optional',
    errors: 'quote',
    body: QuoteBodySchema,
    responses: { 200: answer },
    errorCodes: [
      ...ERROR_CODES,
      ...(path === '/price' ? [] : DEPOSIT_CODES),
      ...(path === '/quote/v2' ? UPSTREAM_CODES : []),
    ],
    requestHeaders: { traceparent: 'Trace of the caller (W3C trace context); the trace of the request links to it' },
    authorize: (body, caller) => requireQuoteKey(path, body, caller, deps),
    handler: ({ body, caller, ctx }) => {
      const { traceparent } = ctx.headers
      const call = {
        body,
        caller,
        ip: ctx.ip,
        exposesUpstreamErrors: path === '/quote/v2',
        trace: { route: path, traceparent: traceparent === undefined ? undefined : String(traceparent) },
        effect: ctx.effect,
      }
      return path === '/price' ? deps.engine.price(call) : deps.engine.quote(call)
    },
  })

/** `POST /quote/v2`, `/quote` and `/price` (wire.md 1.1, 1.8). */
export const quoteRoutes = (deps: QuoteRoutesDeps): readonly Route[] =>
  OPERATIONS.map((operation) => quoteRoute(operation, deps))
