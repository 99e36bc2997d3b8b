import { type Clock, type Currency, ServiceError } from '@causeway/core'
import {
  type Caller,
  defineQuoteExtension,
  type FundingWallet,
  formatUsd,
  type QuoteBody,
  type QuoteDraft,
  sponsorReservation,
} from '@causeway/core/plugin'
import { divideLines } from './feeShares.js'
import { choiceOf, type Sponsor, type SponsoredQuote, sponsorQuote } from './sponsoredQuote.js'
import { readSponsorRequest, SponsorBody, type SponsorRequest } from './sponsorRequest.js'
import { quotedSponsorship } from './sponsorshipJson.js'

export interface SponsoredQuotesDeps {
  readonly clock: Clock
  readonly serviceName: string
  readonly balanceCurrency: Currency
  /** Farthest that a fixed rate may be from the market. */
  readonly maxFixedRateBps: bigint
  /** The linked wallet of an integrator; null: none. */
  walletOf(integratorId: string): Promise<Pick<FundingWallet, 'wallet' | 'free'> | null>
}

/** What is known of a draft whose fees are sponsored. */
interface Sponsoring {
  readonly request: SponsorRequest
  readonly sponsor: Sponsor
  quote: SponsoredQuote | null
}

const integratorOf = (caller: Caller): string => {
  if (caller.kind === 'integrator' && caller.proxied !== true) return caller.integratorId
  throw new ServiceError('UNAUTHORIZED', 'body.subsidizeFees needs a valid API key in the x-api-key header')
}

const noWallet = (): ServiceError =>
  new ServiceError(
    'INVALID_SUBSIDIZATION',
    'body.subsidizeFees needs a wallet that pays, and none is linked to the integrator of this key; see /integrators/funding-wallet',
  )

/** Quotes whose fees the linked wallet of the integrator pays, and rates that it guarantees (wire.md D.8, D.9). */
export const sponsoredQuotes = (deps: SponsoredQuotesDeps) => {
  const { clock, serviceName, balanceCurrency, maxFixedRateBps } = deps
  const drafts = new WeakMap<QuoteDraft, Sponsoring>()
  const shown = (draft: QuoteDraft) => {
    const { request, quote } = drafts.get(draft) ?? {}
    if (request === undefined || quote === undefined || quote === null) return {}
    return { feeSponsorship: { quoted: quotedSponsorship(request, quote, serviceName) } }
  }
  return defineQuoteExtension({
    name: 'sponsorship',
    bodySchema: SponsorBody,
    phase: 'resolve',
    keyFlags: ['subsidizeFees'],
    // CAST: the whole body, of which the schema names what is read here.
    conditions: (body) => (readSponsorRequest(body as QuoteBody) === null ? null : { usesBalances: true }),
    apply: async (draft) => {
      const request = readSponsorRequest(draft.body)
      if (request === null) return
      const found = await deps.walletOf(integratorOf(draft.caller))
      if (found === null) throw noWallet()
      drafts.set(draft, { request, sponsor: { ...found, balanceCurrency }, quote: null })
      draft.fixedRate = request.fixedRate
    },
    divideFees: (draft, lines, deposit) => {
      const sponsoring = drafts.get(draft)
      return sponsoring === undefined
        ? lines
        : divideLines(lines, choiceOf(sponsoring.request, balanceCurrency, deposit))
    },
    priced: (draft, priced) => {
      const sponsoring = drafts.get(draft)
      if (sponsoring === undefined) return
      const { request, sponsor } = sponsoring
      sponsoring.quote = sponsorQuote(request, sponsor, priced, { maxFixedRateBps })
    },
    terms: (draft) => drafts.get(draft)?.quote?.terms ?? {},
    features: (draft) => (draft.fixedRate === null ? [] : ['fixed_rate']),
    details: (draft) => {
      const gap = drafts.get(draft)?.quote?.rateGap ?? null
      return gap === null ? {} : { fixedRateFee: { usd: formatUsd(-gap) } }
    },
    response: shown,
    quoted: shown,
    persist: (draft, { requestId, heldUntil }) => {
      const sponsorship = drafts.get(draft)?.quote?.terms.sponsorship
      if (sponsorship === undefined) return []
      return [sponsorReservation(requestId, sponsorship, { now: clock.now(), until: heldUntil })]
    },
  })
}
