import type { StepItemDraft } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'

/** The step `deposit` of an order, with the transaction that a wallet signs (wire.md 1.4). */
export const depositStep = (
  data: Json,
  description = 'Deposits the funds so that the transfer can be filled',
): StepItemDraft => ({
  stepId: 'deposit',
  kind: 'transaction',
  action: 'Confirm transaction in your wallet',
  description,
  data,
})

/** The step of a payment to a deposit address. */
export const addressPaymentStep = (data: Json): StepItemDraft =>
  depositStep(data, 'Sends the funds to the deposit address')
