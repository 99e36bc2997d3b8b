import type { BlockRef } from '@causeway/core/chain'
import { internalTransferAmount } from '../deposit/jettonBodies.js'
import { hasRun } from '../deposit/readDeposits.js'
import { type Included, type Internal, sentMessages } from '../read/arrival.js'
import type { ReadPayment } from './readPayment.js'

/** State of a payment whose request the wallet took. Pending: a message is on its way. */
export type Delivery = { readonly state: 'pending' } | (End & { readonly returned: bigint })

/** The end of a payment in the block of its last transaction; `returned`: nanotons that came back, less the fees of receiving them. */
type End =
  | { readonly state: 'failed'; readonly why: string; readonly block: BlockRef }
  /** `charged`: nanotons that the account which received them was charged for it. */
  | { readonly state: 'arrived'; readonly amount: bigint; readonly charged: bigint; readonly block: BlockRef }

/** Looks up the transaction that received a message sent at a height; null: it has not arrived. */
export type Arrivals = (message: Internal, sentAt: bigint) => Promise<Included | null>

export const NOT_SENT = 'The wallet took the payment and did not send it: its balance was too low.'
const REFUSED = 'The wallet of the jettons or of the deposit address refused the payment.'
const NOT_TAKEN = 'The jettons came back: the wallet of the recipient did not take them.'

/** A transaction of a payer's wallet, and the message that it sent for one payment. */
export interface Dispatch extends Included {
  /** Null: the wallet skipped the payment. */
  readonly message: Internal | null
}

/**
 * Follows a payment from the transaction of its wallet to the recipient, message by message. A wallet v5r1 ignores errors, so its success
 * proves nothing (chains.md tonvm 4 and 10).
 * @throws PrunedError where the node lacks a part
 */
export const follow = async (arrivals: Arrivals, first: Dispatch, payment: ReadPayment): Promise<Delivery> => {
  const { message, block: sentIn } = first
  if (message === null) return { state: 'failed', why: NOT_SENT, block: sentIn, returned: payment.attached }
  /** Transactions of the payment that may send nanotons back. */
  const visited: Included[] = []
  const ended = (end: End) => endOf(arrivals, visited, { end, payer: message.info.src.toString() })
  let [sent, sentAt] = [message, sentIn.height]
  for (const next of payment.path.slice(1)) {
    const reached = await arrivals(sent, sentAt)
    if (reached === null) return { state: 'pending' }
    const { transaction, block } = reached
    visited.push(reached)
    const brought = sentMessages(transaction).find(next)
    if (brought === undefined) return ended({ state: 'failed', why: REFUSED, block })
    ;[sent, sentAt] = [brought, block.height]
  }
  const arrival = await arrivals(sent, sentAt)
  if (arrival === null) return { state: 'pending' }
  const { block, transaction } = arrival
  // Coins stay also with an account whose code fails: the message does not bounce.
  if (payment.jettons === null)
    return ended({ state: 'arrived', amount: sent.info.value.coins, charged: transaction.totalFees.coins, block })
  visited.push(arrival)
  if (!hasRun(transaction)) return ended({ state: 'failed', why: NOT_TAKEN, block })
  return ended({ state: 'arrived', amount: internalTransferAmount(sent.body) ?? 0n, charged: 0n, block })
}

/** A payment is over once the nanotons that it left are back. */
const endOf = async (
  arrivals: Arrivals,
  visited: readonly Included[],
  { end, payer }: { readonly end: End; readonly payer: string },
): Promise<Delivery> => {
  let [block, returned] = [end.block, 0n]
  for (const { transaction, block: sentIn } of visited) {
    for (const message of sentMessages(transaction)) {
      if (message.info.dest.toString() !== payer) continue
      const arrival = await arrivals(message, sentIn.height)
      if (arrival === null) return { state: 'pending' }
      returned += message.info.value.coins - arrival.transaction.totalFees.coins
      if (arrival.block.height > block.height) block = arrival.block
    }
  }
  return { ...end, block, returned }
}
