import { ServiceError } from '@causeway/core'
import type { StepItemDraft } from '@causeway/core/chain'
import { NATIVE } from '../address/addresses.js'
import type { PaymentFormDeps } from '../payout/paymentForm.js'
import { type DepositPayment, jettonDepositStep, nativeDepositStep } from './buildDeposit.js'

/**
 * The step of a deposit of TON or of jettons.
 * @throws ServiceError UNSUPPORTED_CURRENCY where the currency is no jetton; those of the steps
 */
export const buildDepositStep = async (
  payment: DepositPayment,
  { pool, wallets }: PaymentFormDeps,
): Promise<readonly StepItemDraft[]> => {
  const { from, money } = payment
  if (money.currency === NATIVE) return nativeDepositStep(payment)
  const wallet = await wallets.walletOf(pool, money.currency, from)
  if (wallet === null) throw new ServiceError('UNSUPPORTED_CURRENCY', 'The currency is no jetton of this network.')
  return jettonDepositStep(payment, wallet)
}
