import type { SignedDeposit, TestWallet } from '@causeway/core/testing'
import { formatUnits, type Hex } from 'viem'
import type { ApiClient, Quote, Status } from './apiClient.js'
import { type Currency, currencyOf, type ServedChain } from './servedChain.js'

/** What to move. A wallet takes part in one transfer at a time, so that its balance proves what it paid. */
export interface TransferPlan {
  readonly from: ServedChain
  readonly payer: TestWallet
  readonly to: ServedChain
  readonly symbol: string
  /** What the recipient is to get; absent: the same. */
  readonly into?: string
  /** In the smallest unit; of what goes in, or of what comes out for EXACT_OUTPUT. */
  readonly amount: bigint
  readonly tradeType?: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  readonly referrer?: string
  /** Where a refund goes; absent: to the payer. An address nobody used before. */
  readonly refundTo?: string
  /** Further fields of the quote's body. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** What became of a transfer. Durations in ms. */
export interface TransferReport {
  readonly requestId: Hex
  readonly status: Status['status']
  readonly quoteMs: number
  readonly depositToFillMs: number
}

const oneDecimal = (duration: number): number => Math.round(duration * 10) / 10

/** One transfer from its quote to its end, checked against both chains. */
export class Transfer {
  readonly from: ServedChain
  readonly to: ServedChain
  readonly currencyIn: Currency
  readonly currencyOut: Currency
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** What must arrive at least: as much as quoted where no pool is in between. */
  readonly minimumOut: bigint
  readonly quoteMs: number
  readonly requestId: Hex
  readonly quote: Quote
  /** An address nobody used before: all it holds came through this transfer. */
  readonly recipient: string
  readonly #plan: TransferPlan
  readonly #api: ApiClient
  readonly #deposit: SignedDeposit
  readonly #payerHad: bigint
  #sentAt = 0
  #depositId = ''
  #end: (Status & { readonly at: number }) | undefined

  private constructor(
    plan: TransferPlan,
    api: ApiClient,
    opened: {
      readonly quote: Quote
      readonly quoteMs: number
      readonly recipient: string
      readonly deposit: SignedDeposit
      readonly payerHad: bigint
    },
  ) {
    const { quote } = opened
    this.#plan = plan
    this.#api = api
    this.#deposit = opened.deposit
    this.#payerHad = opened.payerHad
    this.from = plan.from
    this.to = plan.to
    this.currencyIn = currencyOf(this.from, plan.symbol)
    this.currencyOut = currencyOf(this.to, plan.into ?? plan.symbol)
    this.amountIn = BigInt(quote.details.currencyIn.amount)
    this.amountOut = BigInt(quote.details.currencyOut.amount)
    this.minimumOut = plan.into === undefined ? this.amountOut : BigInt(quote.details.currencyOut.minimumAmount)
    this.quoteMs = opened.quoteMs
    this.requestId = quote.requestId
    this.quote = quote
    this.recipient = opened.recipient
  }

  /** Asks for a quote and does all but the deposit. @throws Error when the quote is not what was asked for */
  static async open(api: ApiClient, plan: TransferPlan): Promise<Transfer> {
    const { from, payer, to, symbol, into = symbol, amount, tradeType = 'EXACT_INPUT', referrer, refundTo } = plan
    const currency = currencyOf(from, symbol)
    const [recipient, payerHad] = await Promise.all([
      to.reader.freshAddress(currencyOf(to, into).address),
      from.reader.balance(payer.address, currency.address),
    ])
    const { quote, quoteMs } = await api.quote({
      user: payer.address,
      recipient,
      originChainId: from.chainId,
      destinationChainId: to.chainId,
      originCurrency: currency.address,
      destinationCurrency: currencyOf(to, into).address,
      amount: amount.toString(),
      tradeType,
      ...(referrer === undefined ? {} : { referrer }),
      ...(refundTo === undefined ? {} : { refundTo }),
      ...plan.more,
    })
    const { currencyIn, currencyOut } = quote.details
    const fixed = tradeType === 'EXACT_OUTPUT' ? currencyOut.amount : currencyIn.amount
    if (BigInt(fixed) !== amount) throw new Error(`Asked for exactly ${amount}, the quote says ${fixed}`)
    const deposit = await payer.prepare(quote.steps, api.postSignature)
    return new Transfer(plan, api, { quote, quoteMs, recipient, deposit, payerHad })
  }

  async send(): Promise<void> {
    this.#sentAt = performance.now()
    this.#depositId = await this.#deposit.send()
  }

  /** @throws Error when the end is another one, or does not come in time */
  async waitFor(wanted: 'success' | 'refund', limitMs?: number): Promise<void> {
    const end = await this.#api.waitForEnd(this.requestId, limitMs)
    this.#end = end
    if (end.status === wanted) return
    throw new Error(`Request ${this.requestId} ended as ${end.status}: ${end.failReason} ${end.details ?? ''}`)
  }

  /** Hash of the one transaction that ended the transfer. @throws Error when there is none, or more than one */
  get payoutHash(): string {
    const [hash, ...others] = this.#end?.txHashes ?? []
    if (hash === undefined || others.length > 0) {
      throw new Error(`Request ${this.requestId} shows ${others.length + (hash ? 1 : 0)} payouts, not one`)
    }
    return hash
  }

  get report(): TransferReport {
    const end = this.#end
    if (end === undefined) throw new Error('The transfer has not ended')
    return {
      requestId: this.requestId,
      status: end.status,
      quoteMs: oneDecimal(this.quoteMs),
      depositToFillMs: oneDecimal(end.at - this.#sentAt),
    }
  }

  /** @throws Error unless the recipient holds what was quoted, over pools within what was promised: not less, and not twice */
  async checkReceived(): Promise<void> {
    const received = await this.received()
    const isSwap = this.minimumOut < this.amountOut
    const most = isSwap ? (this.amountOut * 3n) / 2n : this.amountOut
    if (received >= this.minimumOut && received <= most) return
    throw new Error(
      `${this.recipient} on ${this.to.name} should hold ${money(this.amountOut, this.currencyOut)}, but holds ${money(received, this.currencyOut)} (request ${this.requestId})`,
    )
  }

  received(): Promise<bigint> {
    return this.to.reader.balance(this.recipient, this.currencyOut.address)
  }

  /** Gas the payer paid. @throws Error unless the payer lost exactly what was quoted, and gas where the gas is the same currency */
  async checkPaid(): Promise<bigint> {
    const { lost, gas } = await this.#lost()
    if (lost === this.amountIn) return gas
    throw new Error(
      `${this.#plan.payer.address} on ${this.from.name} should have paid ${money(this.amountIn, this.currencyIn)}, but paid ${money(lost, this.currencyIn)} (request ${this.requestId})`,
    )
  }

  /** What came back of a refunded transfer. @throws Error when the payout's transaction is not a success */
  async returned(): Promise<bigint> {
    if (!(await this.from.reader.succeeded(this.payoutHash))) throw new Error(`The refund ${this.payoutHash} failed`)
    const { refundTo } = this.#plan
    if (refundTo !== undefined) return this.from.reader.balance(refundTo, this.currencyIn.address)
    return this.amountIn - (await this.#lost()).lost
  }

  /** @throws Error unless the history tells the same as the chains: deposit, payout, what was paid and what was received or came back */
  async checkRecord(): Promise<void> {
    const { status, data } = await this.#api.record(this.requestId)
    const { origin, destination } = data.route.actual
    const isRefund = this.#end?.status === 'refund'
    const shown = {
      status,
      deposits: data.inTxs.map(({ txHash }) => txHash).join(),
      payouts: data.outTxs.map(({ txHash }) => txHash).join(),
      paid: origin.inputCurrency?.amount,
      got: isRefund ? data.refundCurrencyData?.amount : (destination ?? origin).outputCurrency?.amount,
    }
    const real = {
      status: this.#end?.status,
      deposits: this.#depositId,
      payouts: this.payoutHash,
      paid: this.amountIn.toString(),
      got: (await (isRefund ? this.returned() : this.received())).toString(),
    }
    if (JSON.stringify(shown) === JSON.stringify(real)) return
    throw new Error(`The record of ${this.requestId} says ${JSON.stringify(shown)}, not ${JSON.stringify(real)}`)
  }

  /** What the payer's balance fell by, gas aside. */
  async #lost(): Promise<{ lost: bigint; gas: bigint }> {
    const gas = await this.#deposit.feesPaid()
    const has = await this.from.reader.balance(this.#plan.payer.address, this.currencyIn.address)
    const change = this.#payerHad - has
    return { lost: this.currencyIn.address === this.from.nativeAddress ? change - gas : change, gas }
  }
}

/** An amount for people: `1.25 ETH`, with all its digits. */
export const money = (amount: bigint, { decimals, symbol }: Omit<Currency, 'address'>): string =>
  `${formatUnits(amount, decimals)} ${symbol}`
