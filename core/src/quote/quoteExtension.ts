import type { Static, TSchema } from '@sinclair/typebox'
import type { StepItemDraft } from '../chain/chainReferences.js'
import type { Chain } from '../chain/chainRegistry.js'
import { token } from '../container/tokens.js'
import type { Caller } from '../http/access/integratorAuth.js'
import type { Currency, Money } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import type { Price } from '../money/prices/priceSource.js'
import type { QuoteBody } from './quoteBody.js'

/** Where in the making of a quote an extension runs. */
export const QUOTE_PHASES = ['resolve', 'route', 'fees', 'order', 'deposit', 'simulate', 'persist'] as const
export type QuotePhase = (typeof QUOTE_PHASES)[number]

/** One fee; only core sums them (`sumFees`). Positive amounts cost the payer. */
export interface FeeLine {
  readonly bucket: 'gas' | 'execution' | 'swap' | 'platform' | 'app' | 'rent'
  readonly payer: 'user' | 'sponsor'
  /** In any currency with a price; the quote converts it into the deposited one, rounded up. */
  readonly money: Money
}

/** The quote in the making, as extensions see it. */
export interface QuoteDraft {
  readonly body: QuoteBody
  readonly caller: Caller
  readonly origin: Chain
  readonly destination: Chain
  /** What the user has and what the recipient wants; swaps may stand between. */
  readonly originCurrency: Currency
  readonly destinationCurrency: Currency
  /** Canonical addresses on origin and destination. */
  readonly user: string
  readonly recipient: string
  readonly feeLines: FeeLine[]
  /** Native currency of the destination that the fill brings along, smallest unit; 0n: none. An extension may set it. */
  topup: bigint
  /**
   * What it costs the solver to bring its funds back in balance when it pays another asset than it takes, basis points of the
   * deposit; null: the operator's setting. An extension that knows better may set it.
   */
  rebalancingBps: bigint | null
  /** Checked prices; throws what `Prices.get` throws. */
  prices(currencies: readonly Currency[]): Promise<readonly Price[]>
  /** The destination's native currency. */
  readonly destinationNative: Currency
}

/** The ids of a quote that is about to be answered. */
export interface QuoteIds {
  readonly requestId: Hex
  /** Null where the user moves the value alone. */
  readonly orderId: Hex | null
}

/** A statement that is part of the quote's own transaction. */
export interface QuoteStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A capability that another plugin adds to quotes (architecture.md 5, Quote extensions). */
export interface QuoteExtension<Body extends TSchema = TSchema> {
  readonly name: string
  /** Optional body fields this extension understands; without it they are refused when they change money or path. */
  readonly bodySchema: Body
  readonly phase: QuotePhase
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  /** `body` fits `bodySchema`. What the members below need of it is kept by the draft. */
  apply(draft: QuoteDraft, body: Static<Body>): Promise<void> | void
  /** Items put before the deposit's own. */
  steps?(draft: QuoteDraft, ids: QuoteIds): readonly StepItemDraft[]
  /** Fields merged into `details` of the answer. */
  details?(draft: QuoteDraft): Readonly<Record<string, unknown>>
  /** Fields merged into the answer. */
  response?(draft: QuoteDraft): Readonly<Record<string, unknown>>
  /** What to write beside the quote; nothing is written when any of it fails. */
  persist?(draft: QuoteDraft, ids: QuoteIds): readonly QuoteStatement[]
}

/** Keeps `Body` inferred and the shape checked where it is written. */
export const defineQuoteExtension = <Body extends TSchema>(extension: QuoteExtension<Body>): QuoteExtension<Body> =>
  extension

export const QUOTE_EXTENSIONS = token<QuoteExtension[]>('core/QuoteExtensions')
