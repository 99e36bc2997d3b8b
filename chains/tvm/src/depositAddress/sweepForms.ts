import { depositorySelectors } from '@causeway/contracts-abi'
import type { ChainMoney, DepositAddress, Payout, Signer, SimulationFailure } from '@causeway/core/chain'
import { addressWord } from '../address/abi.js'
import { NATIVE, validateAddress } from '../address/addresses.js'
import { type PaymentForm, transferData } from '../payout/paymentForm.js'

export type SweepPlan = { readonly ok: true; readonly form: PaymentForm } | SimulationFailure

/** Sweeps of deposit addresses. */
export interface SweepForms {
  /** Returns the transaction that a sweep would make now, or why it would move no money. */
  plan(payout: Payout): Promise<SweepPlan>
  /** @throws ServiceError without the seed, or if the seed does not give the address */
  signer(address: DepositAddress, seed: Uint8Array | undefined): Signer
}

/** The transaction of a deposit address: a deposit of TRX, or a transfer of a token to the depository with the order id behind it. */
export const sweepForm = (
  { address, money }: { readonly address: DepositAddress; readonly money: ChainMoney },
  depository: string,
): PaymentForm => {
  const owner = address.destination.address
  const id = address.orderId.slice(2).toLowerCase()
  const common = { owner, memo: '', sweep: address }
  if (money.currency !== NATIVE)
    return { ...common, to: money.currency, value: 0n, data: transferData(depository, money.amount) + id }
  const depositor = validateAddress(address.depositor)
  const data = depositorySelectors.depositNative.slice(2) + addressWord(depositor.ok ? depositor.canonical : owner) + id
  return { ...common, to: depository, value: money.amount, data }
}
