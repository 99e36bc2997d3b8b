import type { SignedDeposit, TestWallet } from '@causeway/core/testing'
import type { ApiClient, Quote, Status } from '../transfers/apiClient.js'
import { type Currency, currencyOf, type ServedChain } from '../transfers/servedChain.js'
import { money, type TransferReport } from '../transfers/transfer.js'

/** A quote for an address, and what is paid to it then. */
export interface AddressPlan {
  readonly from: ServedChain
  readonly payer: TestWallet
  readonly to: ServedChain
  readonly symbol: string
  /** What the quote is asked for, in the smallest unit. */
  readonly quoted: bigint
  readonly paid: bigint
  /** Signs a plain transfer of another amount than the quote's own step; needed where that is paid. */
  pay?(address: string, amount: bigint): Promise<SignedDeposit>
  /** What lies at an address, by the word of its chain's adapter: of one that is a tag the ledger itself knows nothing. */
  lies(address: string): Promise<bigint>
}

interface Opened {
  readonly quote: Quote
  readonly quoteMs: number
  readonly address: string
  readonly recipient: string
  readonly deposit: SignedDeposit
  readonly payerHad: bigint
}

/** One payment to an address, from its quote to its end, checked against both chains. */
export class AddressPayment {
  readonly plan: AddressPlan
  readonly currencyIn: Currency
  readonly currencyOut: Currency
  readonly #api: ApiClient
  readonly #opened: Opened
  #sentAt = 0
  #transferId = ''
  #end: (Status & { readonly at: number }) | undefined

  private constructor(plan: AddressPlan, api: ApiClient, opened: Opened) {
    this.plan = plan
    this.#api = api
    this.#opened = opened
    this.currencyIn = currencyOf(plan.from, plan.symbol)
    this.currencyOut = currencyOf(plan.to, plan.symbol)
  }

  /** Asks for an address and signs the transfer to it. @throws Error when the answer names none */
  static async open(api: ApiClient, plan: AddressPlan): Promise<AddressPayment> {
    const { from, payer, to, symbol, quoted, paid } = plan
    const { address: currency } = currencyOf(from, symbol)
    const [recipient, refundTo, payerHad] = await Promise.all([
      to.reader.freshAddress(currencyOf(to, symbol).address),
      from.reader.freshAddress(currency),
      from.reader.balance(payer.address, currency),
    ])
    const { quote, quoteMs } = await api.quote({
      user: payer.address,
      ...{ recipient, refundTo },
      originChainId: from.chainId,
      destinationChainId: to.chainId,
      originCurrency: currency,
      destinationCurrency: currencyOf(to, symbol).address,
      amount: quoted.toString(),
      tradeType: 'EXACT_INPUT',
      useDepositAddress: true,
    })
    const address = quote.steps[0]?.depositAddress
    if (address === undefined) throw new Error(`The quote ${quote.requestId} names no address to pay to`)
    const deposit =
      plan.pay === undefined || paid === quoted ? await payer.prepare(quote.steps) : await plan.pay(address, paid)
    return new AddressPayment(plan, api, { quote, quoteMs, address, recipient, deposit, payerHad })
  }

  async send(): Promise<void> {
    this.#sentAt = performance.now()
    this.#transferId = await this.#opened.deposit.send()
  }

  /** By the id of the quote, whatever was paid. @throws Error when the end is another than a fill, or does not come in time */
  async waitForFill(): Promise<void> {
    const { requestId } = this.#opened.quote
    const end = await this.#api.waitForEnd(requestId)
    if (end.status !== 'success') throw new Error(`Request ${requestId} ended as ${end.status}: ${end.failReason}`)
    this.#end = end
  }

  get report(): TransferReport {
    const { quote, quoteMs } = this.#opened
    if (this.#end === undefined) throw new Error('The payment has not ended')
    const depositToFillMs = this.#end.at - this.#sentAt
    const rounded = (duration: number): number => Math.round(duration * 10) / 10
    return {
      requestId: quote.requestId,
      status: this.#end.status,
      quoteMs: rounded(quoteMs),
      depositToFillMs: rounded(depositToFillMs),
    }
  }

  received(): Promise<bigint> {
    return this.plan.to.reader.balance(this.#opened.recipient, this.currencyOut.address)
  }

  /** @throws Error unless the recipient holds what was quoted, or for another amount less or more than that, and the history says the same */
  async checkReceived(): Promise<void> {
    const { plan } = this
    const received = await this.received()
    const quoted = BigInt(this.#opened.quote.details.currencyOut.amount)
    const fits = plan.paid === plan.quoted ? received === quoted : plan.paid < plan.quoted === received < quoted
    if (received <= 0n || !fits) {
      const words = `${money(plan.paid, this.currencyIn)} for a quote of ${money(plan.quoted, this.currencyIn)}`
      throw new Error(`${words} became ${money(received, this.currencyOut)}`)
    }
    await this.#checkRecord(received)
  }

  /** @throws Error unless the payer lost just what was paid, gas aside, and the address is empty again */
  async checkPaid(): Promise<void> {
    const { from, payer, paid, lies } = this.plan
    const { address, deposit, payerHad } = this.#opened
    const [gas, has, left] = [
      await deposit.feesPaid(),
      await from.reader.balance(payer.address, this.currencyIn.address),
      await lies(address),
    ]
    const lost = payerHad - has - (this.currencyIn.address === from.nativeAddress ? gas : 0n)
    if (lost !== paid) throw new Error(`${payer.address} should have paid ${paid} on ${from.name}, but paid ${lost}`)
    if (left !== 0n) throw new Error(`The address ${address} on ${from.name} still holds ${left}`)
  }

  async #checkRecord(received: bigint): Promise<void> {
    const records = await this.#api.addressRecords(this.#opened.address)
    // The quote of an address that was paid otherwise has the status of the request that owns the fill.
    const filled = records.filter((one) => one.status === 'success' && one.supersededByRequestId === null)
    const shown = filled.map(({ depositAddress, data }) => ({
      transfer: depositAddress?.depositTxHash,
      sweeps: data.inTxs.map(({ txHash }) => txHash),
      fills: data.outTxs.map(({ txHash }) => txHash),
      paid: data.route.actual.origin.inputCurrency?.amount,
      got: data.route.actual.destination?.outputCurrency?.amount,
    }))
    const { inTxHashes, txHashes } = this.#end ?? {}
    const real = {
      transfer: this.#transferId,
      sweeps: inTxHashes,
      fills: txHashes,
      paid: this.plan.paid.toString(),
      got: received.toString(),
    }
    if (JSON.stringify(shown) === JSON.stringify([real])) return
    throw new Error(`The history of ${this.#opened.address} says ${JSON.stringify(shown)}, not ${JSON.stringify(real)}`)
  }
}
