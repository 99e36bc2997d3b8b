import type { ChainMoney, Destination } from '../chain/chainReferences.js'
import { destinationText, parseDestination } from '../chain/destination.js'
import type { Json } from '../chain/json.js'
import type { Delegation, PayoutCall } from '../chain/laneAdapter.js'
import type { DirectRequest, SwapLimits } from '../chain/swaps.js'
import type { RefundFailReason } from '../errors/failReason.js'
import type { Hex } from '../money/hex.js'
import type { Usd } from '../money/usd.js'

export type TradeType = 'EXACT_INPUT' | 'EXPECTED_OUTPUT' | 'EXACT_OUTPUT'

/** One side of a route: chain and canonical currency. */
export interface RouteSide {
  readonly chainId: number
  readonly currency: string
}

/** The swap within a fill: what the recipient gets for what the solver pays. */
export interface TermsSwap {
  /** Canonical currency of the destination chain that arrives. */
  readonly to: string
  /** Expected, smallest unit of `to`. */
  readonly amount: bigint
  /** Less than this is never filled: the deposit goes back (wire.md 1.6 currencyOut.minimumAmount). */
  readonly minimum: bigint
  readonly limits: SwapLimits
}

/** Calls of a fill (wire.md G.2). */
export interface TermsCalls {
  readonly calls: readonly PayoutCall[]
  readonly gasLimit: bigint | null
  readonly delegations: readonly Delegation[]
}

/**
 * What an integrator without a wallet earns by a quote: its part of the platform fee (wire.md 3.1 `platformFee`), owed in the origin
 * currency.
 */
export interface TermsIntegratorFee {
  readonly integratorId: string
  /** In the origin currency; part of `feesIn`. */
  readonly amount: bigint
}

/** A fee that was quoted in another currency than the deposited one, such as gas that the service pays on the origin chain. */
export interface TermsConvertedFee extends ChainMoney {
  readonly chainId: number
  /** Its part of `feesIn` and of the sponsor's fees, in the origin currency. */
  readonly deposited: bigint
}

/** What a wallet earns by a quote once it is filled, out of its fees (wire.md D.7). */
export interface TermsEarning {
  /** In lower case. */
  readonly wallet: string
  /**
   * `app`: an app fee; `integrator`: the integrator's part of the platform fee (wire.md 3.1 `platformFee`); `rate`: what the sponsor of a
   * fixed rate gains by it (wire.md D.8): what the deposit leaves beyond fees and payment.
   */
  readonly kind: 'app' | 'integrator' | 'rate'
  /** Of an app fee: basis points of the input. */
  readonly bps?: string
  /** In the origin currency, for the quoted deposit. */
  readonly amount: bigint
  /** What of `amount` the deposit pays; the sponsor pays the rest. */
  readonly fromDeposit: bigint
  /** What `amount` is owed as, in the balance currency. */
  readonly worth: bigint
}

/** All that wallets earn by a quote; `chainId` and `currency` are those of the balances. */
export interface TermsEarnings {
  readonly chainId: number
  readonly currency: string
  readonly list: readonly TermsEarning[]
}

/** The sponsor's part of a quote (wire.md D.9), in the balance currency, smallest unit. */
export interface TermsSponsorship {
  /** Whose balance pays, in lower case. */
  readonly wallet: string
  readonly chainId: number
  readonly currency: string
  /** Most that it pays for the quoted deposit: its part of the fees, and of a fixed rate what that costs. */
  readonly amount: bigint
  /** Its part of the fees, in the origin currency. */
  readonly fees: bigint
  /** Part of `amount`: what the output of a fixed rate is worth beyond the market (wire.md D.8). */
  readonly rateCost: bigint
}

/** Value that the user moves alone on one chain: no order, no deposit, no fill. */
export interface TermsDirect {
  /** `call`: nothing was quoted, a call was sent for its user (wire.md 2.6). */
  readonly kind: DirectRequest['kind'] | 'call'
}

/** The address that a quote gave to be paid to (wire.md E). */
export interface TermsAddress {
  /** `strict`: what comes beyond `depositAmount` goes back. */
  readonly type: 'open' | 'strict'
  /** A refund goes to whoever sent the money (wire.md E.5); `refundTo` is null until that is known. */
  readonly refundToSender: boolean
  /** Why no refund follows by itself although one was asked for. */
  readonly noRefund?: RefundFailReason
}

/**
 * What a quote promised, as the money path needs it: `origin` is what is deposited, `destination` what the solver pays, each
 * perhaps behind a swap. Stored with the quote and copied to the request; amounts in the smallest unit. Serialised by
 * `serializeTerms`.
 */
export interface QuoteTerms {
  readonly requestId: Hex
  readonly orderId: Hex
  readonly tradeType: TradeType
  readonly user: string
  readonly recipient: Destination
  /** Where a refund goes on the origin chain; null: no automatic refund. */
  readonly refundTo: Destination | null
  readonly origin: RouteSide
  readonly destination: RouteSide
  /** Expected to arrive in the depository, in the currency of `origin`. What the user pays is this or, before a swap, something else. */
  readonly depositAmount: bigint
  /** Smallest deposit that may consume the order: below it the payout would fall under `minimumPayout`. */
  readonly minimumDeposit: bigint
  /** What the solver pays, in the currency of `destination`, expected and at least. What the recipient gets is this or, behind a swap, `swap`. */
  readonly payoutAmount: bigint
  readonly minimumPayout: bigint
  /** Network cost of the fill counted into the quote, in the origin currency. */
  readonly fillCost: bigint
  /** What of it the fill's transaction was expected to cost, native smallest unit of the destination; 0 where nothing is filled. */
  readonly networkFee: bigint
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
  /** Worth of one whole unit on both sides when quoted, where they are different assets; absent: the same asset. */
  readonly prices?: { readonly origin: Usd; readonly destination: Usd }
  readonly swap?: TermsSwap
  readonly calls?: TermsCalls
  /** Native currency that the fill brings beside `destination`. */
  readonly topup?: ChainMoney
  readonly convertedFees?: readonly TermsConvertedFee[]
  readonly integratorFee?: TermsIntegratorFee
  readonly earnings?: TermsEarnings
  readonly sponsorship?: TermsSponsorship
  readonly direct?: TermsDirect
  readonly address?: TermsAddress
}

type Stored = { readonly [name: string]: Json | undefined }

const AMOUNTS = [
  'depositAmount',
  'minimumDeposit',
  'payoutAmount',
  'minimumPayout',
  'fillCost',
  'networkFee',
  'feesIn',
] as const

/** Keys that the stored text has for members of another name: rows keep them for ever, and SQL reads them (`insertRequests.ts`, `recordsSql.ts`). */
const STORED_KEYS = {
  depositAmount: 'amountIn',
  minimumDeposit: 'minimumIn',
  payoutAmount: 'amountOut',
  minimumPayout: 'minimumOut',
} as const
const MEMBERS = Object.fromEntries(Object.entries(STORED_KEYS).map(([member, key]) => [key, member]))

/** The same values, in the same order, under other names. */
const renamed = (object: object, names: Readonly<Record<string, string>>): Stored =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [names[name] ?? name, value]))

/** JSON text with amounts as decimal strings, destinations as `destinationText` writes them, and the keys of `STORED_KEYS`. */
export const serializeTerms = (terms: QuoteTerms): string => {
  const recipient = destinationText(terms.recipient)
  const refundTo = terms.refundTo === null ? null : destinationText(terms.refundTo)
  return JSON.stringify(renamed({ ...terms, recipient, refundTo }, STORED_KEYS), (_key, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

/** Turns the named members back into amounts. */
const withAmounts = (stored: Json | Stored | undefined, names: readonly string[]): object => {
  // CAST: an object wherever this is called; only this module writes the text.
  const raw = { ...(stored as Stored) } as Record<string, unknown>
  for (const name of names) if (raw[name] !== undefined && raw[name] !== null) raw[name] = BigInt(String(raw[name]))
  return raw
}

const readCalls = (stored: Stored): object => ({
  ...withAmounts(stored, ['gasLimit']),
  calls: (stored.calls as Json[]).map((call) => withAmounts(call, ['value'])),
})

const readEarnings = (stored: Stored): object => ({
  ...stored,
  list: (stored.list as Json[]).map((earning) => withAmounts(earning, ['amount', 'fromDeposit', 'worth'])),
})

const readConvertedFees = (stored: Json | undefined): object =>
  stored === undefined
    ? {}
    : { convertedFees: (stored as Json[]).map((fee) => withAmounts(fee, ['amount', 'deposited'])) }

/** Reads what `serializeTerms` wrote. */
export const parseTerms = (text: string): QuoteTerms => {
  const stored = renamed(JSON.parse(text), MEMBERS)
  const { recipient, refundTo, prices, swap, calls, topup, integratorFee, earnings, sponsorship } = stored
  // CAST: only this module writes the text, and every amount is restored here.
  return {
    ...withAmounts(stored, AMOUNTS),
    recipient: parseDestination(String(recipient)),
    refundTo: refundTo === null ? null : parseDestination(String(refundTo)),
    ...(prices === undefined ? {} : { prices: withAmounts(prices, ['origin', 'destination']) }),
    ...(swap === undefined ? {} : { swap: withAmounts(swap, ['amount', 'minimum']) }),
    ...(topup === undefined ? {} : { topup: withAmounts(topup, ['amount']) }),
    ...(integratorFee === undefined ? {} : { integratorFee: withAmounts(integratorFee, ['amount']) }),
    ...readConvertedFees(stored.convertedFees),
    ...(calls === undefined ? {} : { calls: readCalls(calls as Stored) }),
    ...(earnings === undefined ? {} : { earnings: readEarnings(earnings as Stored) }),
    ...(sponsorship === undefined ? {} : { sponsorship: withAmounts(sponsorship, ['amount', 'fees', 'rateCost']) }),
  } as unknown as QuoteTerms
}
