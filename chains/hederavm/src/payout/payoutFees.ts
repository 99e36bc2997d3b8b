import { ServiceError } from '@causeway/core'
import type { FeeQuote, Payout } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import { type PaymentForm, type PaymentFormDeps, paymentForm, transferPrice } from './paymentForm.js'
import { CAP_FACTOR, PRICES, RATE_VALID_MS, type RateNow } from './prices.js'

/** Costs of deposits and payments: prices of the fee schedule by the exchange rate, and custom fees of tokens (chains.md hederavm 7). */
export const hederaFees = (forms: PaymentFormDeps, rate: RateNow) => {
  const priceOf = async (currency: string): Promise<bigint> =>
    currency === NATIVE ? PRICES.transfer : transferPrice(await forms.token(currency))
  const quote = async (asked: bigint | Promise<bigint>): Promise<FeeQuote> => {
    const [price, tinybars] = await Promise.all([asked, rate()])
    return { network: { currency: NATIVE, amount: tinybars(price) }, validForMs: RATE_VALID_MS }
  }
  return {
    /** Network fee of a transfer of a currency. */
    transferFee: (currency: string): Promise<FeeQuote> => quote(priceOf(currency)),
    /** Most that a wallet should let the network take for a transfer, in tinybars; `opening`: for one that may open an account. */
    transferLimit: async (currency: string, opening?: 'opening'): Promise<bigint> => {
      const [price, tinybars] = await Promise.all([priceOf(currency), rate()])
      const account = PRICES.newAccount + (currency === NATIVE ? 0n : PRICES.association)
      return tinybars(price + (opening === undefined ? 0n : account)) * CAP_FACTOR
    },
    payoutFee: async (payout: Payout): Promise<FeeQuote> => {
      const form = await formOf(payout, forms)
      const currencyFee = form === null ? 0n : form.amounts.taken - form.amounts.arrives
      const fee = await quote(form?.price ?? priceOf(payout.money.currency))
      return currencyFee === 0n ? fee : { ...fee, currencyFee }
    },
  }
}

export type HederaFees = ReturnType<typeof hederaFees>

/** Null for a payout that no transfer can be: its simulation says why. */
const formOf = async (payout: Payout, forms: PaymentFormDeps): Promise<PaymentForm | null> => {
  if (payout.purpose === 'sweep') return null
  try {
    return await paymentForm(payout, forms)
  } catch (error) {
    if (ServiceError.is(error) && error.code === 'INVALID_REQUEST') return null
    throw error
  }
}
