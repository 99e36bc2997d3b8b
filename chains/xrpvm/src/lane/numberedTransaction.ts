import type { Json } from '@causeway/core'
import type { SequenceSlot } from '@causeway/core/chain-kit'
import type { PaymentForm } from '../payout/paymentForm.js'
import { networkField } from '../rpc/networkField.js'

/** A transaction of ours with all but its signature, as the ledger's own JSON has it. */
export interface NumberedTransaction extends Partial<Omit<PaymentForm, 'TransactionType' | 'Account'>> {
  readonly TransactionType: 'Payment' | 'AccountSet'
  readonly Account: string
  readonly Fee: string
  readonly Flags: 0
  /** 0 beside a ticket. */
  readonly Sequence: number
  readonly TicketSequence?: number
  readonly LastLedgerSequence: number
  readonly NetworkID?: number
}

/** A payment in its slot: its number, its fee, and the last ledger that may hold it (chains.md xrpvm 5). */
export const numbered = (
  form: PaymentForm,
  { sequence, until, aside }: SequenceSlot,
  { fee, networkId }: { readonly fee: bigint; readonly networkId: number },
): NumberedTransaction => ({
  ...form,
  Fee: fee.toString(),
  Flags: 0,
  ...(aside === true ? { Sequence: 0, TicketSequence: Number(sequence) } : { Sequence: Number(sequence) }),
  LastLedgerSequence: Number(until),
  ...networkField(networkId),
})

/** A transaction that uses up the number of another one and does nothing else. */
export const nothingInstead = (transaction: NumberedTransaction, fee: bigint): NumberedTransaction => {
  const { Destination, DestinationTag, SourceTag, Amount, SendMax, Memos, ...slot } = transaction
  return { ...slot, TransactionType: 'AccountSet', Fee: fee.toString() }
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const transactionJson = (transaction: NumberedTransaction): Json => transaction as unknown as Json

// CAST: only transactionJson makes such transactions.
export const readNumbered = (json: Json): NumberedTransaction => json as unknown as NumberedTransaction
