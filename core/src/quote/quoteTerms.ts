import type { Hex } from '../money/hex.js'

export type TradeType = 'EXACT_INPUT' | 'EXPECTED_OUTPUT' | 'EXACT_OUTPUT'

/** One side of a route: chain and canonical currency. */
export interface RouteSide {
  readonly chainId: number
  readonly currency: string
}

/**
 * What a quote promised, as the money path needs it. Stored with the quote and copied to the request; amounts in the
 * smallest unit. Serialised by `serializeTerms`.
 */
export interface QuoteTerms {
  readonly requestId: Hex
  readonly orderId: Hex
  readonly tradeType: TradeType
  readonly user: string
  readonly recipient: string
  /** Where a refund goes on the origin chain; null: no automatic refund. */
  readonly refundTo: string | null
  readonly origin: RouteSide
  readonly destination: RouteSide
  readonly amountIn: bigint
  /** Smallest deposit that may consume the order: below it the output would fall under `minimumOut`. */
  readonly minimumIn: bigint
  readonly amountOut: bigint
  readonly minimumOut: bigint
  /** Network cost of the fill counted into the quote, in the origin currency. */
  readonly fillCost: bigint
  /** All the fees kept from the deposit, in the origin currency (relayer and app). */
  readonly feesIn: bigint
  /** Unix milliseconds. */
  readonly quotedAt: number
  /** Unix milliseconds until which the quoted price stands; later deposits are priced anew. */
  readonly priceUntil: number
  /** Unix seconds; after it the order may no longer be filled. */
  readonly orderDeadline: number
  /** Unix seconds by which it must be filled (`ttl`), else refunded with TTL_EXPIRED; null when not asked for. */
  readonly fillBy: number | null
  readonly latePaymentSlippageBps: number
  /** Exact-output surplus goes to the solver instead of the recipient. */
  readonly trueExactOutput: boolean
  /** Test aid: refund instead of filling (wire.md 1.2 referrer). */
  readonly forceRefund: boolean
}

const AMOUNTS = ['amountIn', 'minimumIn', 'amountOut', 'minimumOut', 'fillCost', 'feesIn'] as const

/** JSON text with amounts as decimal strings. */
export const serializeTerms = (terms: QuoteTerms): string =>
  JSON.stringify(terms, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))

/** Reads what `serializeTerms` wrote. */
export const parseTerms = (text: string): QuoteTerms => {
  const raw: Record<string, unknown> = JSON.parse(text)
  for (const name of AMOUNTS) raw[name] = BigInt(String(raw[name]))
  // CAST: only this module writes the text, and every amount was just restored.
  return raw as unknown as QuoteTerms
}
