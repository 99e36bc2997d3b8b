import { ServiceError } from '@causeway/core'
import type { ChainMoney, StepItemDraft } from '@causeway/core/chain'
import { depositStep } from '@causeway/core/chain-kit'
import { jettonWalletOf, messageOf, type PaymentFormDeps } from '../payout/paymentForm.js'

/** A deposit of a wallet; all addresses are raw. */
export interface DepositPayment {
  readonly from: string
  readonly depository: string
  readonly money: ChainMoney
  /** The order id; of a payment to a deposit address its comment, or an empty text. */
  readonly orderId: string
}

/**
 * The one step of a deposit: a message that does not bounce with the order id as its comment, or a transfer by the user's jetton wallet, which
 * notifies the depository with the order id (chains.md tonvm 3).
 * @param jettonWallet raw address, as the master names it for `from`; null for TON
 * @throws ServiceError INVALID_REQUEST if the user is the depository
 */
export const paymentStep = (
  { from, depository: to, money, orderId }: DepositPayment,
  jettonWallet: string | null,
): readonly StepItemDraft[] => {
  if (from === to) {
    throw new ServiceError('INVALID_REQUEST', 'The depository cannot deposit to itself. Name another account as user.')
  }
  const wanted = { from, to, amount: money.amount, memo: orderId.toLowerCase(), responseTo: from }
  const { to: address, value, body, isBounceable } = messageOf(wanted, jettonWallet)
  return [depositStep({ messages: [{ to: address, value, body, bounce: isBounceable, from }] })]
}

/** As `paymentStep`. @throws ServiceError UNSUPPORTED_CURRENCY where the currency is no jetton */
export const buildDepositStep = async (
  payment: DepositPayment,
  deps: PaymentFormDeps,
): Promise<readonly StepItemDraft[]> =>
  paymentStep(payment, await jettonWalletOf(payment.money.currency, payment.from, deps))
