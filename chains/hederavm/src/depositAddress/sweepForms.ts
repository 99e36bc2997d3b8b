import type { Hex } from '@causeway/core'
import type { ChainMoney, DepositAddress, Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import type { SequenceSlot } from '@causeway/core/chain-kit'
import { type PaymentForm, type PaymentFormDeps, sweepForm } from '../payout/paymentForm.js'

export type SweepPayment = { readonly ok: true; readonly payment: PaymentForm } | SimulationFailure

/** Sweeps of deposit addresses. */
export interface SweepForms {
  /** Returns the payment that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<SweepPayment>
  /** A sweep got its number. Absent: sweeps of two addresses never take each other's money. */
  begun?(payout: Payout, slot: SequenceSlot): void
  /** @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}

/** The payment of a sweep that takes an amount of its address. */
export const sweepPayment = async (
  { from: payer, sweep }: Payout,
  money: ChainMoney | undefined,
  forms: PaymentFormDeps,
): Promise<SweepPayment> => {
  if (sweep === undefined || money === undefined)
    return { ok: false, kind: 'revert', message: 'The sweep moves no money.' }
  const { orderId, destination } = sweep.address
  const memo = destination.memo === undefined ? orderId : `${orderId} ${destination.memo}`
  return { ok: true, payment: await sweepForm({ payer, memo, ...money }, sweep.address, forms) }
}

const SWEEP_MEMO = /^(0x[0-9a-f]{64}) ([1-9]\d{0,9})$/

/** Order and label that the sweep of a memo names; null for any other text. */
export const readSweepMemo = (memo: string): { readonly orderId: Hex; readonly label: string } | null => {
  const [, orderId, label] = SWEEP_MEMO.exec(memo) ?? []
  // CAST: matched by the pattern.
  return orderId === undefined || label === undefined ? null : { orderId: orderId as Hex, label }
}
