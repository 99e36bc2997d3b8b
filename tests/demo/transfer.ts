import type { Hex } from 'viem'
import type { ApiClient, Quote, QuoteBody, Status } from './apiClient.js'
import { money } from './screen.js'
import { type Currency, currencyOf, type DemoChain, type SignedDeposit, type Wallet } from './wallet.js'

/** What to move, in words of the story. A wallet takes part in one transfer at a time, so that its balance proves what it paid. */
export interface TransferPlan {
  readonly payer: Wallet
  readonly to: DemoChain
  readonly symbol: string
  /** What the recipient is to get; absent: the same. */
  readonly into?: string
  /** In the smallest unit; of what goes in, or of what comes out for EXACT_OUTPUT. */
  readonly amount: bigint
  readonly tradeType?: QuoteBody['tradeType']
  readonly referrer?: string
}

/** A line of the demo's last word. Durations in ms. */
export interface TransferReport {
  readonly requestId: Hex
  readonly status: Status['status']
  readonly quoteMs: number
  readonly depositToFillMs: number
}

const oneDecimal = (duration: number): number => Math.round(duration * 10) / 10

/** One transfer from its quote to its end, checked against both chains. */
export class Transfer {
  readonly from: DemoChain
  readonly to: DemoChain
  readonly currencyIn: Currency
  readonly currencyOut: Currency
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** What must arrive at least: as much as quoted where no pool is in between. */
  readonly minimumOut: bigint
  readonly quoteMs: number
  readonly requestId: Hex
  /** An address nobody used before: all it holds came through this transfer. */
  readonly recipient: string
  readonly #plan: TransferPlan
  readonly #api: ApiClient
  readonly #deposit: SignedDeposit
  readonly #payerHad: bigint
  #sentAt = 0
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
    this.from = plan.payer.chain
    this.to = plan.to
    this.currencyIn = currencyOf(this.from, plan.symbol)
    this.currencyOut = currencyOf(this.to, plan.into ?? plan.symbol)
    this.amountIn = BigInt(quote.details.currencyIn.amount)
    this.amountOut = BigInt(quote.details.currencyOut.amount)
    this.minimumOut = plan.into === undefined ? this.amountOut : BigInt(quote.details.currencyOut.minimumAmount)
    this.quoteMs = opened.quoteMs
    this.requestId = quote.requestId
    this.recipient = opened.recipient
  }

  /** Asks for a quote and does all but the deposit. @throws Error when the quote is not what was asked for */
  static async open(api: ApiClient, plan: TransferPlan): Promise<Transfer> {
    const { payer, to, symbol, into = symbol, amount, tradeType = 'EXACT_INPUT', referrer } = plan
    const recipient = to.freshAddress()
    const currency = currencyOf(payer.chain, symbol)
    const payerHad = await payer.chain.balance(payer.address, currency)
    const { quote, quoteMs } = await api.quote({
      user: payer.address,
      recipient,
      originChainId: payer.chain.id,
      destinationChainId: to.id,
      originCurrency: currency.address,
      destinationCurrency: currencyOf(to, into).address,
      amount: amount.toString(),
      tradeType,
      ...(referrer === undefined ? {} : { referrer }),
    })
    const { currencyIn, currencyOut } = quote.details
    const fixed = tradeType === 'EXACT_OUTPUT' ? currencyOut.amount : currencyIn.amount
    if (BigInt(fixed) !== amount) throw new Error(`Asked for exactly ${amount}, the quote says ${fixed}`)
    const deposit = await payer.prepare(quote)
    return new Transfer(plan, api, { quote, quoteMs, recipient, deposit, payerHad })
  }

  async send(): Promise<void> {
    this.#sentAt = await this.#deposit.send()
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
    return this.to.balance(this.recipient, this.currencyOut)
  }

  /** Gas the payer paid. @throws Error unless the payer lost exactly what was quoted, and gas where the gas is the same currency */
  async checkPaid(): Promise<bigint> {
    const { lost, gas } = await this.#lost()
    if (lost === this.amountIn) return gas
    throw new Error(
      `${this.#plan.payer.address} on ${this.from.name} should have paid ${money(this.amountIn, this.currencyIn)}, but paid ${money(lost, this.currencyIn)} (request ${this.requestId})`,
    )
  }

  /** What came back to the payer of a refunded transfer. @throws Error when the payout's transaction is not a success */
  async returned(): Promise<bigint> {
    if (!(await this.from.succeeded(this.payoutHash))) throw new Error(`The refund ${this.payoutHash} failed`)
    return this.amountIn - (await this.#lost()).lost
  }

  /** @throws Error unless the history tells the same as the chains: the payout, what was paid and what was received */
  async checkRecord(): Promise<void> {
    const { status, data } = await this.#api.record(this.requestId)
    const { origin, destination } = data.route.actual
    const shown = {
      status,
      payouts: data.outTxs.map(({ txHash }) => txHash).join(),
      paid: origin.inputCurrency?.amount,
      received: (destination ?? origin).outputCurrency?.amount,
    }
    const real = {
      status: this.#end?.status,
      payouts: this.payoutHash,
      paid: this.amountIn.toString(),
      received: (await this.received()).toString(),
    }
    if (JSON.stringify(shown) === JSON.stringify(real)) return
    throw new Error(`The record of ${this.requestId} says ${JSON.stringify(shown)}, not ${JSON.stringify(real)}`)
  }

  /** What the payer's balance fell by, gas aside. */
  async #lost(): Promise<{ lost: bigint; gas: bigint }> {
    const gas = await this.#deposit.gasPaid()
    const has = await this.from.balance(this.#plan.payer.address, this.currencyIn)
    const change = this.#payerHad - has
    return { lost: this.currencyIn.address === this.from.nativeAddress ? change - gas : change, gas }
  }
}
