import { type AddedTerms, holderOf, type NewQuote, type QuoteCall } from '@causeway/core/plugin'
import type { QuoteSettings } from '../../options.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'
import { valuesOf } from '../pricing/quoteValues.js'
import { agreedFacts } from './agreedFacts.js'
import { callsFacts, type FeesAndDetails } from './quoteResponse.js'
import type { QuoteResult } from './quoteResult.js'
import { type TermsContext, termsOf } from './quoteTerms.js'

export interface NewQuoteParts {
  readonly call: QuoteCall
  readonly quote: PricedQuote
  readonly result: QuoteResult
  /** As the caller gets them. */
  readonly answered: FeesAndDetails
  /** Beside the row of the quote. */
  readonly written: Pick<NewQuote, 'parts' | 'tie'>
  readonly added: AddedFacts
}

/** What extensions add to what is kept of a quote. */
export interface AddedFacts {
  readonly terms: AddedTerms
  readonly features: readonly string[]
  readonly quoted: Readonly<Record<string, unknown>>
}

/** JSON text of what the quote answers, as records and `/integrators/quote-data` read it. */
export const quotedText = (
  quote: PricedQuote,
  answered: FeesAndDetails,
  { features, quoted }: Pick<AddedFacts, 'features' | 'quoted'>,
): string => {
  const { requestType, operation } = quote.plan
  return JSON.stringify({
    requestType,
    operation,
    ...answered,
    ...agreedFacts(quote),
    ...callsFacts(quote, valuesOf(quote)),
    feeSponsorship: null,
    ...quoted,
    features: [...(quote.topup === 0n ? [] : ['gas_top_up']), ...features],
  })
}

/** What is stored of a quote, in the form that its statement writes. */
export const newQuoteOf = (
  { call, quote, result, answered, written, added }: NewQuoteParts,
  context: TermsContext,
): NewQuote => {
  return {
    terms: termsOf(quote, result, context, added.terms),
    caller: idsOf(call),
    body: JSON.stringify(withoutKey(call.body)),
    quoted: quotedText(quote, answered, added),
    order: JSON.stringify(result.order ?? {}),
    referrer: quote.plan.input.referrer,
    hold: holdOf(quote, context.settings),
    holder: holderOf(call.caller, call.ip ?? ''),
    ...written,
  }
}

const idsOf = ({ caller }: QuoteCall): NewQuote['caller'] =>
  caller.kind === 'integrator'
    ? { integratorId: caller.integratorId, apiKeyId: caller.apiKeyId }
    : { integratorId: null, apiKeyId: null }

/** Some clients put their key into the body (wire.md 1.10); no field of ours is called so. */
const withoutKey = (body: QuoteCall['body'] & { readonly apiKey?: unknown }): object => {
  const { apiKey: _secret, ...rest } = body
  return rest
}

/** Inventory to hold for the fill (architecture.md 3, step 1); null where the solver pays nothing. */
const holdOf = ({ plan, topup, payoutAmount, pair }: PricedQuote, settings: QuoteSettings): NewQuote['hold'] => {
  if (plan.direct !== null) return null
  const { chain, native } = plan.route.destination
  const currency = pair.payout.address
  const shared = { chainId: chain.config.id, currency, seconds: settings.holdSeconds }
  if (topup === 0n) return { ...shared, amount: payoutAmount }
  return currency === native.address
    ? { ...shared, amount: payoutAmount + topup }
    : { ...shared, amount: payoutAmount, topup: { currency: native.address, amount: topup } }
}
