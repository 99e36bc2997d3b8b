import type { ChainMoney } from '../chain/chainReferences.js'
import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'
import type { QuotePart } from './quoteExtension.js'
import type { QuoteTerms } from './quoteTerms.js'

/** Everything one statement writes for a quote (architecture.md 3, step 1). */
export interface NewQuote {
  readonly terms: QuoteTerms
  readonly caller: { readonly integratorId: string | null; readonly apiKeyId: string | null }
  /** JSON text of the body as received, key removed. */
  readonly body: string
  /** JSON text: requestType, operation, fees, details and feeSponsorship of the answer, for records and `/integrators/quote-data`. */
  readonly quoted: string
  /** JSON text of the order (wire.md 1.7). */
  readonly order: string
  readonly referrer: string | null
  /** Inventory reserved for the fill; null where the solver pays nothing. */
  readonly hold: {
    readonly chainId: number
    readonly currency: string
    readonly amount: bigint
    /** Native currency beside it; absent: none. */
    readonly topup?: ChainMoney
    readonly seconds: number
  } | null
  /** Whom hold and storage are counted for (`holderOf`); null: nobody, the caller is trusted. */
  readonly holder: string | null
  /** What extensions write with it. */
  readonly parts?: readonly QuotePart[]
  /** Another statement, in a transaction with the quote's. */
  readonly tie?: { readonly text: string; readonly values: readonly unknown[] }
}

/** A quote as it was given, for who asked for it. */
export interface StoredQuote {
  readonly requestId: Hex
  readonly createdAt: Date
  /** Null for a quote without a key. */
  readonly integratorId: string | null
  /** JSON texts as in `NewQuote`. */
  readonly body: string
  readonly quoted: string
}

/** See `HoldResult`. */
export const HOLD_RESULTS = ['held', 'unheld', 'none'] as const

/**
 * `held`: the funds of the fill are kept for it. `unheld`: they are there, and its caller holds as much as it may already; whoever
 * pays first gets them. `none`: nothing is to be held.
 */
export type HoldResult = (typeof HOLD_RESULTS)[number]

/** Stores quotes and finds them again. */
export interface QuoteStore {
  /** One statement, or one transaction with the tie. Throws ServiceError INSUFFICIENT_LIQUIDITY when nobody could hold so much; then nothing is written. */
  insert(quote: NewQuote): Promise<HoldResult>
  /** Solver funds still free to be quoted: balance - unpaid payouts - owed fills - live holds. Null when the balance was never observed. */
  available(chainId: number, currency: string): Promise<bigint | null>
  findTerms(requestId: Hex): Promise<QuoteTerms | null>
  /** Null for an id that no quote has; whether it was used makes no difference. A child's id finds the quote that it came of. */
  findQuote(requestId: Hex): Promise<StoredQuote | null>
}

export const QUOTE_STORE = token<QuoteStore>('core/QuoteStore')
