import type { SwapOrder } from '../chain/swaps.js'
import { token } from '../container/tokens.js'
import type { FailReason } from '../errors/failReason.js'
import type { Caller } from '../http/access/integratorAuth.js'
import type { Effect } from '../idempotency/idempotentCalls.js'
import type { QuoteBody } from './quoteBody.js'
import type { PriceResponse, QuoteResponse } from './quoteResponse.js'
import type { QuoteTerms, TermsEarnings, TermsIntegratorFee, TermsSponsorship } from './quoteTerms.js'

/** What the trace of a quote tells of the call; nothing is decided by it. */
export interface QuoteCallTrace {
  /** Operation that was asked, from a fixed list. */
  readonly route: string
  /** Header of that name as received; linked from the quote's trace and nothing more. */
  readonly traceparent?: string | undefined
}

/** One call for a quote or a price. */
export interface QuoteCall {
  /** Checked against `QuoteBodySchema` before it comes here. */
  readonly body: QuoteBody
  readonly caller: Caller
  /** Address of the caller, for what its quotes hold together; callers without one count as one. */
  readonly ip?: string
  /** A failure of a provider keeps its own code, `REQUEST_TIMED_OUT` or `RPC_HTTP_ERROR`; else it is `SERVICE_UNAVAILABLE` (wire.md K.1 8). */
  readonly exposesUpstreamErrors?: boolean
  readonly trace?: QuoteCallTrace
  /** The quote and its answer are stored together with it, so that a repeat of the call makes no second quote. */
  readonly effect?: Effect | undefined
}

/** A deposit as the solver asks about it. */
export interface RepriceDeposit {
  readonly amount: bigint
  /** Unix milliseconds of the block that holds it. */
  readonly includedAt: number
}

/**
 * What to do with a deposit that consumed an order. `amount` is what the solver pays, in the destination currency of the
 * terms and never under `minimumPayout`; `excess` in the origin currency, to be returned in a payout of its own; `networkFee` what
 * the deposit is charged for the fill's transaction, native smallest unit of the destination; `swap` what the payment is turned
 * into.
 */
export type RepriceDecision =
  | {
      readonly action: 'fill'
      readonly amount: bigint
      readonly excess: bigint
      readonly fees: bigint
      readonly networkFee: bigint
      /** Part of `fees` that is owed to an integrator. */
      readonly integratorFee?: TermsIntegratorFee
      /** What wallets earn by it, for this deposit; what the deposit pays of it is part of `fees`. */
      readonly earnings?: TermsEarnings
      /** What the sponsor pays for this deposit, never more than the terms say. */
      readonly sponsorship?: TermsSponsorship
      readonly swap?: SwapOrder
    }
  | { readonly action: 'refund'; readonly reason: FailReason }

/** What came to an address, for which the quote that gave the address is made anew (wire.md E.3). */
export interface RequoteCall {
  /** Body of the quote that gave the address, as it was stored. */
  readonly body: QuoteBody
  /** Its terms: recipient, refund and fees of an integrator stay those. */
  readonly terms: QuoteTerms
  readonly integratorId: string | null
  readonly apiKeyId: string | null
  readonly deposit: { readonly chainId: number; readonly currency: string; readonly amount: bigint }
}

/** A new order for it, in the form that requests keep; its `requestId` is that of the call's terms until it is stored. */
export interface Requoted {
  readonly terms: QuoteTerms
  /** JSON of the order and of what the quote would have answered. */
  readonly order: string
  readonly quoted: string
}

/** Pricing and quoting (architecture.md 5). Implemented by a plugin; the solver and others use only this. */
export interface QuoteEngine {
  /** Prices a transfer and writes nothing. Throws ServiceError. */
  price(call: QuoteCall): Promise<PriceResponse>
  /** Quotes a transfer; the quote is stored when this resolves. Throws ServiceError. */
  quote(call: QuoteCall): Promise<QuoteResponse>
  /** Decides fill or refund now, from the stored terms. Throws ServiceError when prices or fees cannot be had: try again later. */
  reprice(terms: QuoteTerms, deposit: RepriceDeposit): Promise<RepriceDecision>
  /**
   * Makes the order for what came to an open address; stores nothing. Throws ServiceError: one that passes (`isPassing`) says that it is to be tried
   * again, any other that this can never be filled.
   */
  requote(call: RequoteCall): Promise<Requoted>
}

export const QUOTE_ENGINE = token<QuoteEngine>('core/QuoteEngine')
