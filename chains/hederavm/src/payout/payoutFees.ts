import { ServiceError } from '@causeway/core'
import type { DepositRequest, FeeQuote, Payout } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm, transferPrice } from './paymentForm.js'
import { CAP_FACTOR, PRICES, RATE_VALID_MS, type RateSource } from './prices.js'

export interface HederaFeesDeps extends PaymentFormDeps {
  readonly rates: RateSource
}

/** Costs of deposits and payments: prices of the fee schedule by the exchange rate, and custom fees of tokens (chains.md hederavm 7). */
export class HederaFees {
  readonly #deps: HederaFeesDeps

  constructor(deps: HederaFeesDeps) {
    this.#deps = deps
  }

  /** Network fee of a user's deposit. */
  async depositFee({ money }: Pick<DepositRequest, 'money'>): Promise<FeeQuote> {
    return this.#quote(await this.#price(money.currency))
  }

  /** Most that a wallet should let the network take for a transfer, in tinybars. */
  async depositFeeLimit(currency: string): Promise<bigint> {
    return (await this.#deps.rates.tinybars(await this.#price(currency))) * CAP_FACTOR
  }

  /** The same of a payment to a deposit address, which opens its account. */
  async addressPaymentLimit(currency: string): Promise<bigint> {
    const price = (await this.#price(currency)) + PRICES.newAccount + (currency === NATIVE ? 0n : PRICES.association)
    return (await this.#deps.rates.tinybars(price)) * CAP_FACTOR
  }

  async payoutFee(payout: Payout): Promise<FeeQuote> {
    const form = await this.#formOf(payout)
    const currencyFee = form === null ? 0n : form.amounts.taken - form.amounts.arrives
    const quote = await this.#quote(form?.price ?? (await this.#price(payout.money.currency)))
    return currencyFee === 0n ? quote : { ...quote, currencyFee }
  }

  async sweepFee(currency: string): Promise<FeeQuote> {
    return this.#quote(await this.#price(currency))
  }

  /** Null for a payout that no transfer can be: its simulation says why. */
  async #formOf(payout: Payout): Promise<PaymentForm | null> {
    if (payout.purpose === 'sweep') return null
    try {
      return await paymentForm(payout, this.#deps)
    } catch (error) {
      if (ServiceError.is(error) && error.code === 'INVALID_REQUEST') return null
      throw error
    }
  }

  async #price(currency: string): Promise<bigint> {
    return currency === NATIVE ? PRICES.transfer : transferPrice(await this.#deps.tokens.token(currency))
  }

  async #quote(price: bigint): Promise<FeeQuote> {
    const amount = await this.#deps.rates.tinybars(price)
    return { network: { currency: NATIVE, amount }, validForMs: RATE_VALID_MS }
  }
}
