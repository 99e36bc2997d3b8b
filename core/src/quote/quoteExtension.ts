import type { Static, TSchema } from '@sinclair/typebox'
import { token } from '../container/tokens.js'
import type { Caller } from '../http/integratorAuth.js'
import type { Currency, Money } from '../money/currency.js'

/** Where in the making of a quote an extension runs. */
export const QUOTE_PHASES = ['resolve', 'route', 'fees', 'order', 'deposit', 'simulate', 'persist'] as const
export type QuotePhase = (typeof QUOTE_PHASES)[number]

/** One fee; only core sums them (`sumFees`). Positive amounts cost the payer. */
export interface FeeLine {
  readonly bucket: 'gas' | 'execution' | 'swap' | 'platform' | 'app' | 'rent'
  readonly payer: 'user' | 'sponsor'
  readonly money: Money
}

/** The quote in the making, as extensions see it. */
export interface QuoteDraft {
  readonly body: Readonly<Record<string, unknown>>
  readonly caller: Caller
  readonly originCurrency: Currency
  readonly destinationCurrency: Currency
  readonly feeLines: FeeLine[]
}

/** A capability that another plugin adds to quotes (design 5, Quote extensions). */
export interface QuoteExtension<Body extends TSchema = TSchema> {
  readonly name: string
  /** Optional body fields this extension understands; without it they are refused when they change money or path. */
  readonly bodySchema: Body
  readonly phase: QuotePhase
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  apply(draft: QuoteDraft, body: Static<Body>): Promise<void> | void
  /** Fields merged into the answer. */
  response?(draft: QuoteDraft): Readonly<Record<string, unknown>>
}

/** Keeps `Body` inferred and the shape checked where it is written. */
export const defineQuoteExtension = <Body extends TSchema>(extension: QuoteExtension<Body>): QuoteExtension<Body> =>
  extension

export const QUOTE_EXTENSIONS = token<QuoteExtension[]>('core/QuoteExtensions')
