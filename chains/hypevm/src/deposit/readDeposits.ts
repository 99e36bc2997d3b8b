import { type DepositEvent, isMappingTimely, type NonceMapping } from '@causeway/core/chain'
import { type Transfer, txDataOf } from '../read/transfers.js'
import { blockAt } from '../rpc/status.js'
import { isSweep } from './ownMarks.js'

/** A transfer with the mapping of its sender and nonce. */
export interface MappedTransfer extends Transfer {
  /** Null: there is none, or it came more than an hour after the transfer. */
  readonly mapping: NonceMapping | null
}

/** Whether a transfer pays the depository from another account. */
export const isDeposit = ({ from, to }: Pick<Transfer, 'from' | 'to'>, depository: string): boolean =>
  to === depository && from !== depository

/** The mapping that counts: in time (chains.md hypevm 4). */
export const timely = (mapping: NonceMapping | null, { time }: Pick<Transfer, 'time'>): NonceMapping | null =>
  mapping !== null && isMappingTimely(mapping, time) ? mapping : null

/**
 * The deposit of a transfer: the amount that arrived, in the exchange where it arrived, for the order of its mapping. The depositor is the one
 * that the wallet named; a sweep's is its address.
 */
export const readDeposits = (
  transfer: MappedTransfer,
  { depository, depositKey }: { readonly depository: string; readonly depositKey: string | null },
): readonly DepositEvent[] => {
  if (!isDeposit(transfer, depository) || transfer.amount === 0n) return []
  const { hash, time, from, to, currency, amount, fee, mapping } = transfer
  const depositor = mapping === null || isSweep(mapping, depositKey) ? from : mapping.depositor
  return [
    {
      ...{ state: 'included', tx: { id: hash, locator: { time } }, position: 0, index: 0 },
      orderId: mapping?.id ?? null,
      ...{ depositor, senders: [from], source: from, depository: to, money: { currency, amount }, fee },
      block: blockAt(time, hash),
      txData: txDataOf(transfer),
    },
  ]
}
