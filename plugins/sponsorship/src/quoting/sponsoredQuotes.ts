import { type Clock, type Currency, ServiceError } from '@causeway/core'
import {
  type Caller,
  defineQuoteExtension,
  formatUsd,
  type QuoteBody,
  type QuoteDraft,
  type QuotedSponsorship,
  sponsorReservation,
} from '@causeway/core/plugin'
import { divideLines } from './feeShares.js'
import type { LinkedWallet, LinkedWallets } from './linkedWallets.js'
import { choiceOf, covers, requireBalance, type Sponsor, type SponsoredQuote, sponsorQuote } from './sponsoredQuote.js'
import { readSponsorRequest, SponsorBody, type SponsorRequest } from './sponsorRequest.js'
import { quotedSponsorship } from './sponsorshipJson.js'

export interface SponsoredQuotesDeps {
  readonly clock: Clock
  readonly serviceName: string
  readonly balanceCurrency: Currency
  /** Farthest that a fixed rate may be from the market. */
  readonly maxFixedRateBps: bigint
  readonly wallets: Pick<LinkedWallets, 'recent' | 'current'>
}

/** What is known of a draft whose fees are sponsored. */
interface Sponsoring {
  readonly request: SponsorRequest
  readonly integratorId: string
  /** As it was read lately. */
  readonly sponsor: Sponsor
  quote: SponsoredQuote | null
  /** Of the quote, for the answer and for what is stored. */
  json?: QuotedSponsorship
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
  const sponsorOf = (found: LinkedWallet | null): Sponsor => {
    if (found === null) throw noWallet()
    return { ...found, balanceCurrency }
  }
  const shown = (draft: QuoteDraft): { readonly feeSponsorship?: object } => {
    const sponsoring = drafts.get(draft)
    if (sponsoring === undefined || sponsoring.quote === null) return {}
    sponsoring.json ??= quotedSponsorship(sponsoring.request, sponsoring.quote, serviceName)
    return { feeSponsorship: { quoted: sponsoring.json } }
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
      const integratorId = integratorOf(draft.caller)
      const sponsor = sponsorOf(await deps.wallets.recent(integratorId))
      drafts.set(draft, { request, integratorId, sponsor, quote: null })
      draft.fixedRate = request.fixedRate
    },
    divideFees: (draft, lines, deposit) => {
      const sponsoring = drafts.get(draft)
      return sponsoring === undefined
        ? lines
        : divideLines(lines, choiceOf(sponsoring.request, balanceCurrency, deposit))
    },
    priced: async (draft, priced) => {
      const sponsoring = drafts.get(draft)
      if (sponsoring === undefined) return
      const { request, integratorId, sponsor } = sponsoring
      const limits = { maxFixedRateBps }
      const quote = sponsorQuote(request, sponsor, priced, limits)
      if (covers(sponsor, quote)) {
        sponsoring.quote = quote
        return
      }
      const current = sponsorOf(await deps.wallets.current(integratorId))
      sponsoring.quote = sponsorQuote(request, current, priced, limits)
      requireBalance(current, sponsoring.quote)
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
      const { quote, integratorId } = drafts.get(draft) ?? {}
      const sponsorship = quote?.terms.sponsorship
      if (sponsorship === undefined || integratorId === undefined) return []
      return [sponsorReservation(requestId, sponsorship, { integratorId, now: clock.now(), until: heldUntil })]
    },
  })
}
