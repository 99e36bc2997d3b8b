import type { Currency, Hex } from '@causeway/core'
import {
  amountObject,
  type Caller,
  type Chain,
  holderOf,
  type NewQuote,
  type QuoteTerms,
  SOLVER_ROUTER,
  type Usd,
} from '@causeway/core/plugin'
import type { ExecuteInput } from './executeInput.js'

/** A call without a quote is stored as one of its own, for status, records and what is told of it. */
export interface CallQuoteFacts {
  readonly requestId: Hex
  readonly input: ExecuteInput
  readonly chain: Chain
  readonly native: Currency
  readonly price: Usd
  /** What the call is expected to cost, native smallest unit. */
  readonly fee: bigint
  readonly caller: Extract<Caller, { kind: 'integrator' }>
  readonly ip: string
  /** JSON text of the body. */
  readonly body: string
  /** Unix milliseconds. */
  readonly now: number
}

/** Seconds that it stands: a call that is not included by then is over long before. */
const LIFE_SECONDS = 3_600
/** Seconds from one block to the next, where the chain says nothing. */
const USUAL_SECONDS = 12

export const callTerms = ({ requestId, input, native, now }: CallQuoteFacts): QuoteTerms => {
  const side = { chainId: input.chainId, currency: native.address }
  return {
    requestId,
    // It has no order: its own id stands in for that of one.
    orderId: requestId,
    tradeType: 'EXACT_INPUT',
    user: input.call.to,
    recipient: { address: input.call.to },
    refundTo: null,
    origin: side,
    destination: side,
    depositAmount: 0n,
    minimumDeposit: 0n,
    payoutAmount: 0n,
    minimumPayout: 0n,
    fillCost: 0n,
    networkFee: 0n,
    feesIn: 0n,
    quotedAt: now,
    priceUntil: now,
    orderDeadline: Math.ceil(now / 1000) + LIFE_SECONDS,
    fillBy: null,
    latePaymentSlippageBps: 0,
    trueExactOutput: false,
    forceRefund: false,
    direct: { kind: 'call' },
  }
}

const NO_USD = { usd: '0.000000' }
const NO_IMPACT = { ...NO_USD, percent: '0.00' }
const NO_SLIPPAGE = { ...NO_USD, value: '0', percent: '0.00' }

/** What a quote of it would have answered (wire.md 1.6): nothing is moved that is known here. */
const quotedOf = ({ input, chain, native, price, fee }: CallQuoteFacts): object => {
  const amount = (value: bigint) => amountObject({ currency: native, amount: value }, price)
  const [none, to] = [amount(0n), input.call.to]
  const parts = ['swap', 'execution', 'relay', 'app', 'sponsored'].map((part) => [part, NO_USD])
  return {
    requestType: 'Call',
    operation: 'send',
    fees: {
      gas: amount(fee),
      ...{ relayer: none, relayerGas: none, relayerService: none, app: none, subsidized: none },
    },
    details: {
      operation: 'send',
      ...{ sender: to, recipient: to, currencyIn: none, currencyOut: none, refundCurrency: none },
      ...{ totalImpact: NO_IMPACT, swapImpact: NO_IMPACT, rate: '1', userBalance: '0', isFixedRate: false },
      slippageTolerance: { total: '0', origin: NO_SLIPPAGE, destination: NO_SLIPPAGE },
      timeEstimate: Math.ceil(chain.adapter.capabilities.headIntervalSeconds ?? USUAL_SECONDS),
      expandedPriceImpact: Object.fromEntries(parts),
      route: { origin: { inputCurrency: none, outputCurrency: none, router: SOLVER_ROUTER } },
    },
    feeSponsorship: null,
    features: ['gasless_execution'],
  }
}

export const callQuote = (facts: CallQuoteFacts, tie: NonNullable<NewQuote['tie']>): NewQuote => {
  const { caller, ip, input, body } = facts
  return {
    terms: callTerms(facts),
    caller: { integratorId: caller.integratorId, apiKeyId: caller.apiKeyId },
    body,
    quoted: JSON.stringify(quotedOf(facts)),
    order: '{}',
    referrer: input.referrer,
    hold: null,
    holder: holderOf(caller, ip),
    tie,
  }
}
