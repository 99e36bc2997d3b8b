import type { BlockRef } from '@causeway/core/chain'
import { internalTransferAmount } from '../deposit/jettonBodies.js'
import { isCredited } from '../deposit/outcomes.js'
import { type Included, type Internal, sentMessages } from '../read/arrival.js'
import type { ReadPayment } from './readPayment.js'

/** What became of a payment after its wallet took the request. */
export type Delivery =
  /** A message is on its way. */
  | { readonly state: 'pending' }
  | (Ended & { readonly state: 'failed'; readonly why: string })
  | (Ended & { readonly state: 'arrived'; readonly amount: bigint })

interface Ended {
  /** The block of the last transaction. */
  readonly block: BlockRef
  /** Nanotons that came back to the wallet, less the fees of receiving them. */
  readonly returned: bigint
}

/** Looks up the transaction that received a message sent at a height; null: it has not arrived. */
export type Arrivals = (message: Internal, sentAt: bigint) => Promise<Included | null>

export const NOT_SENT = 'The wallet took the payment and did not send it: its balance was too low.'
const REFUSED = 'The wallet of the jettons or of the deposit address refused the payment.'
const NOT_TAKEN = 'The jettons came back: the wallet of the recipient did not take them.'

/**
 * Follows a payment from the transaction of its wallet to the recipient, message by message. A wallet v5r1 ignores errors, so its success
 * proves nothing (chains.md tonvm 4 and 10).
 * @throws PrunedError where the node lacks a part
 */
export const follow = async (arrivals: Arrivals, first: Included, payment: ReadPayment): Promise<Delivery> => {
  const payer = first.transaction.inMessage?.info.dest?.toString() ?? ''
  let [at, amount] = [first, 0n]
  const visited: Included[] = []
  for (const [step, hop] of payment.hops.entries()) {
    const message = sentMessages(at.transaction).find(hop)
    if (message === undefined) {
      if (step > 0) return endOf(arrivals, { visited, payer }, { state: 'failed', why: REFUSED, block: at.block })
      return { state: 'failed', why: NOT_SENT, block: at.block, returned: payment.attached }
    }
    const arrival = await arrivals(message, at.block.height)
    if (arrival === null) return { state: 'pending' }
    amount = payment.jettons === null ? message.info.value.coins : (internalTransferAmount(message.body) ?? 0n)
    at = arrival
    if (payment.attached > 0n) visited.push(at)
  }
  const { block, transaction } = at
  // Coins stay also with an account whose code fails: the message does not bounce.
  const hasFailed = payment.jettons !== null && !isCredited(transaction)
  const end = hasFailed
    ? ({ state: 'failed', why: NOT_TAKEN, block } as const)
    : ({ state: 'arrived', amount, block } as const)
  return endOf(arrivals, { visited, payer }, end)
}

interface Way {
  /** Transactions of a payment that may send nanotons back. */
  readonly visited: readonly Included[]
  readonly payer: string
}

type End =
  | { readonly state: 'failed'; readonly why: string; readonly block: BlockRef }
  | { readonly state: 'arrived'; readonly amount: bigint; readonly block: BlockRef }

/** A payment is over once the nanotons that it left are back. */
const endOf = async (arrivals: Arrivals, { visited, payer }: Way, end: End): Promise<Delivery> => {
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
