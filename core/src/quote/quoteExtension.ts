import type { Static, TSchema } from '@sinclair/typebox'
import type { ChainMoney, Destination, StepItemDraft } from '../chain/chainReferences.js'
import type { Chain } from '../chain/chainRegistry.js'
import { token } from '../container/tokens.js'
import type { Caller } from '../http/access/integratorAuth.js'
import type { Currency, Money } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import type { Price } from '../money/prices/priceSource.js'
import type { Usd } from '../money/usd.js'
import type { QuoteBody } from './quoteBody.js'
import type { QuoteTerms, TermsEarning } from './quoteTerms.js'

/** Where in the making of a quote an extension runs. */
export const QUOTE_PHASES = ['resolve', 'route', 'fees', 'order', 'deposit', 'simulate', 'persist'] as const
export type QuotePhase = (typeof QUOTE_PHASES)[number]

/** One fee; only core sums them (`sumFees`). Positive amounts cost the payer. */
export interface FeeLine {
  readonly bucket: 'gas' | 'execution' | 'swap' | 'platform' | 'app' | 'rent'
  readonly payer: 'user' | 'sponsor'
  /** Whose balance it goes to, an EVM address in lower case (wire.md D.7); absent: ours. */
  readonly owedTo?: string
  /** Of an app fee: basis points of the input, as they were asked for. */
  readonly bps?: string
  /** In any currency with a price; the quote converts it into the deposited one, rounded up. */
  readonly money: Money
}

/** The quote in the making, as extensions see it. */
export interface QuoteDraft {
  readonly body: QuoteBody
  readonly caller: Caller
  /** Whom what the quote takes is counted for (`holderOf`); null: nobody, the caller is trusted. */
  readonly holder: string | null
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
  /** The native currencies of both chains. */
  readonly originNative: Currency
  readonly destinationNative: Currency
  /** Where a refund goes on the origin chain; null: nowhere by itself, and the order names none. An extension may set it. */
  refundTo: Destination | null
  /** Seconds that the order stands; null: the operator's setting. An extension may set it. */
  orderSeconds: number | null
  /** The service sends the deposit, so that the user pays no gas of its own (wire.md 1.3 fees.gas). An extension may set it. */
  sentForUser: boolean
  /** A deposit of less than the quoted one never consumes the order. An extension may set it. */
  wholeDeposit: boolean
  /** Units of output for units of input, in place of the market between two stablecoins that the solver holds (wire.md D.8). An extension may set it. */
  fixedRate: FixedRate | null
  /** Terms of the quote that is made anew for what came in (`QuoteEngine.requote`); null: somebody asks for a quote. */
  readonly requoteOf: QuoteTerms | null
}

/** A rate that somebody guarantees: so much output, in whole units, for so much input; both above 0. */
export interface FixedRate {
  readonly output: Usd
  readonly input: Usd
}

/** What an extension demands of the quote of a body before chains and addresses are looked at. What is left out stays as usual. */
export interface QuoteConditions {
  /** What the user pays is what is deposited: the solver holds it, no swap stands before it, and the solver fills. */
  readonly plainDeposit?: boolean
  /** `user` is a name that signs nothing: the placeholder of a wallet that nobody has connected is one as good as any. */
  readonly anyUser?: boolean
  /** The quote is for somebody's balance to earn by or to pay for: the price of the balance currency is needed. */
  readonly usesBalances?: boolean
  /** A refund goes only to an address that the body names: left out, or the marker of the native currency, `refundTo` begins as null. */
  readonly namedRefund?: boolean
}

/** What became of a draft once it had its price. */
export interface PricedDraft {
  /** A swap stands between what the solver pays and what the recipient gets. */
  readonly destinationSwap: boolean
  /** The user moves the value alone: nothing is deposited, no fee is taken. */
  readonly isDirect: boolean
  /** The word of `details.operation` (wire.md 1.6). */
  readonly operation: string
  /** What the user pays, what is deposited of it, what the solver pays and what the recipient gets, all expected. */
  readonly input: Money
  readonly deposit: Money
  readonly payout: Money
  readonly output: Money
  /** All fees, divided between their payers, in the deposited currency. */
  readonly lines: readonly FeeLine[]
  /**
   * What a fixed rate gives beyond the market, below 0 less than it, in the deposited currency; rounded towards what costs its sponsor
   * more. 0 without one.
   */
  readonly rateGap: bigint
  /** Worth of a whole unit of a currency that the quote was priced with. Throws Error for any other. */
  priceOf(currency: Currency): Usd
}

/** A deposit for which fees are asked, and what one whole unit of it is worth. */
export interface PricedDeposit {
  readonly money: Money
  readonly price: Usd
  /** As `PricedDraft.priceOf`. */
  priceOf(currency: Currency): Usd
}

/** The ids of a quote that is about to be answered. */
export interface QuoteIds {
  readonly requestId: Hex
  /** Null where the user moves the value alone. */
  readonly orderId: Hex | null
  /** Unix seconds until which the order stands. */
  readonly orderDeadline: number
}

/** The ids of a quote that is being stored. */
export interface StoredQuoteIds extends QuoteIds {
  /** Unix milliseconds until which funds are held for it. */
  readonly heldUntil: number
}

/** A deposit that is not made by the user's own transaction at the depository: by a plain payment, or by a signature. */
export interface ReplacedDeposit {
  /** `depositAddress` of the one step `deposit` that the answer then has; null: each item is a step of its own. */
  readonly address: string | null
  /** Its items. Runs while the quote is stored. */
  build(): Promise<readonly StepItemDraft[]>
}

/** What the deposit step is to bring. */
export interface DepositStep {
  readonly money: ChainMoney
  readonly userPublicKey?: string
}

/** A part of the one statement that writes a quote: it costs no round trip of its own. */
export interface QuotePart {
  /** Lower-case letters, digits and `_`; always of the same text. Parts after this one read by it what this one returns. */
  readonly name: string
  /**
   * One `insert … select`, `update` or `delete`, without `with`, with parameters from `$1`. It reads the table `stored`: one row where the
   * quote is written, none where it is not.
   */
  readonly text: string
  readonly values: readonly unknown[]
}

/** The part of the terms that extensions may set. */
export interface AddedTerms extends Pick<QuoteTerms, 'address' | 'sponsorship'> {
  /** What wallets earn beside what fee lines are owed to them, in the balance currency. */
  readonly earned?: readonly TermsEarning[]
}

/** A capability that another plugin adds to quotes (architecture.md 5, Quote extensions). */
export interface QuoteExtension<Body extends TSchema = TSchema> {
  readonly name: string
  /** Optional body fields this extension understands; without it they are refused when they change money or path. */
  readonly bodySchema: Body
  readonly phase: QuotePhase
  readonly before?: readonly string[]
  readonly after?: readonly string[]
  /** Flags of the body that need the key of an integrator where they are true: without one the answer is 401, whatever else is wrong (wire.md K.1 1, 7). */
  readonly keyFlags?: readonly string[]
  /** `body` fits `bodySchema`. What the members below need of it is kept by the draft. */
  apply(draft: QuoteDraft, body: Static<Body>): Promise<void> | void
  /** Runs first. Null: nothing beyond the usual. Throws ServiceError for a body that it can never serve. */
  conditions?(body: Static<Body>): QuoteConditions | null
  /** Runs once the quote has its price, of `/price` too. Throws ServiceError for one that must not be given. */
  priced?(draft: QuoteDraft, priced: PricedDraft): void | Promise<void>
  /** Fees that depend on what is deposited, in its currency. Asked for each amount that is tried: it must grow with it by less than it does. */
  amountFees?(draft: QuoteDraft, deposit: PricedDeposit): readonly FeeLine[]
  /**
   * Fees of what the user swaps alone, of the whole input and in its currency, each with `owedTo`: taken where the user's transaction can
   * deposit them. Asked for each amount that is tried, as `amountFees`.
   */
  directFees?(draft: QuoteDraft, input: PricedDeposit): readonly FeeLine[]
  /**
   * Divides the fees of a deposit, all in its currency, between the user and a sponsor: they sum up to the same, per bucket and per `owedTo`. Asked
   * for each amount that is tried. One plugin of a host may do that.
   */
  divideFees?(draft: QuoteDraft, lines: readonly FeeLine[], deposit: PricedDeposit): readonly FeeLine[]
  /** What the terms keep besides. */
  terms?(draft: QuoteDraft): AddedTerms
  /** Replaces the deposit step, before anything is stored; null: not of this draft. One extension may do that for one draft. */
  deposit?(draft: QuoteDraft, ids: QuoteIds, step: DepositStep): Promise<ReplacedDeposit | null>
  /** Words for `features` of the record (wire.md 3.1). */
  features?(draft: QuoteDraft): readonly string[]
  /** Fields merged into what is stored as quoted. */
  quoted?(draft: QuoteDraft, ids: QuoteIds): Readonly<Record<string, unknown>>
  /** Items put before the deposit's own. */
  steps?(draft: QuoteDraft, ids: QuoteIds): readonly StepItemDraft[]
  /** Fields merged into `details` of the answer. */
  details?(draft: QuoteDraft): Readonly<Record<string, unknown>>
  /** Fields merged into the answer. */
  response?(draft: QuoteDraft): Readonly<Record<string, unknown>>
  /** What to write beside the quote; nothing is written when any of it fails. */
  persist?(draft: QuoteDraft, ids: StoredQuoteIds): readonly QuotePart[]
}

/** Keeps `Body` inferred and the shape checked where it is written. */
export const defineQuoteExtension = <Body extends TSchema>(extension: QuoteExtension<Body>): QuoteExtension<Body> =>
  extension

export const QUOTE_EXTENSIONS = token<QuoteExtension[]>('core/QuoteExtensions')
