import { ServiceError } from '@causeway/core'
import type { FeeQuote, Payout } from '@causeway/core/chain'
import { NATIVE, USDC_DECIMALS } from '../address/addresses.js'
import { inPlaces } from '../address/amounts.js'
import { activationOf, type PaymentForm, type PaymentFormDeps, paymentForm } from './paymentForm.js'

/** An account may be opened by another sender meanwhile. */
const VALID_MS = 30_000

/** Transfers cost nothing; the first one to an account costs its sender one USDC (chains.md hypevm 5). */
export const hypeFees = (deps: PaymentFormDeps) => {
  const quote = (amount: bigint): FeeQuote => ({ network: { currency: NATIVE, amount }, validForMs: VALID_MS })
  return {
    transferFee: async (): Promise<FeeQuote> => quote(0n),
    payoutFee: async (payout: Payout): Promise<FeeQuote> => {
      const form = await formOf(payout, deps)
      return form === null ? quote(0n) : feeOf(form, await activationOf(deps.pool, form, deps))
    },
  }
}

export type HypeFees = ReturnType<typeof hypeFees>

/** The fee of a new account is taken of the balance that is sent: of native USDC it is a network fee, else a fee of the currency. */
export const costsOf = ({ asset }: Pick<PaymentForm, 'asset'>, activation: bigint) =>
  asset.currency === NATIVE
    ? { network: activation, currency: 0n }
    : { network: 0n, currency: inPlaces(activation, USDC_DECIMALS, asset.decimals) }

const feeOf = (form: PaymentForm, activation: bigint): FeeQuote => {
  const { network, currency } = costsOf(form, activation)
  const fee = { network: { currency: NATIVE, amount: network }, validForMs: VALID_MS }
  return currency === 0n ? fee : { ...fee, currencyFee: currency }
}

/** Null for a payout that no transfer can be: its simulation says why. */
const formOf = async (payout: Payout, deps: PaymentFormDeps): Promise<PaymentForm | null> => {
  if (payout.purpose === 'sweep') return null
  try {
    return await paymentForm(payout, deps)
  } catch (error) {
    if (ServiceError.is(error) && (error.code === 'INVALID_REQUEST' || error.code === 'UNSUPPORTED_CURRENCY'))
      return null
    throw error
  }
}
