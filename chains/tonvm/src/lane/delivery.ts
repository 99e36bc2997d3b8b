import { larger } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import { internalTransferAmount, isExcess } from '../deposit/jettonBodies.js'
import { isCredited } from '../deposit/outcomes.js'
import { findArrival, type Included, sentMessages } from '../read/arrival.js'
import type { Asked } from '../rpc/tonApi.js'
import type { ReadPayment } from './readPayment.js'

/** What became of a payment after its wallet took the request. */
export type Delivery =
  /** A message is on its way. */
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly why: string; readonly block: BlockRef; readonly returned: bigint }
  | { readonly state: 'arrived'; readonly amount: bigint; readonly block: BlockRef; readonly returned: bigint }

const NOT_SENT = 'The wallet took the payment and did not send it: its balance was too low.'
const REFUSED = 'The wallet of the jettons or of the deposit address refused the payment.'
const NOT_TAKEN = 'The jettons came back: the wallet of the recipient did not take them.'

/**
 * Follows a payment from the transaction of its wallet to the recipient, message by message. A wallet v5r1 ignores errors, so its success
 * proves nothing (chains.md tonvm 4 and 10).
 * @throws PrunedError where the node lacks a part
 */
export const follow = async (
  asked: Asked,
  first: Included,
  { payment, head }: { readonly payment: ReadPayment; readonly head: bigint },
): Promise<Delivery> => {
  const payer = first.transaction.inMessage?.info.dest
  let [at, amount, returned] = [first, 0n, 0n]
  for (const [step, hop] of payment.hops.entries()) {
    const message = sentMessages(at.transaction).find(hop)
    if (message === undefined) {
      const bounced = step === 0 ? payment.attached : returnedIn(at, payer?.toString(), () => true)
      return { state: 'failed', why: step === 0 ? NOT_SENT : REFUSED, block: at.block, returned: bounced }
    }
    const arrival = await findArrival(asked, message, { from: at.block.height, head })
    if (arrival === null) return { state: 'pending' }
    amount = payment.jettons === null ? message.info.value.coins : (internalTransferAmount(message.body) ?? 0n)
    const block = { ...(arrival.block.height > at.block.height ? arrival.block : at.block) }
    at = { transaction: arrival.transaction, block }
    returned = larger(returned, returnedIn(at, payer?.toString(), isExcess))
  }
  const { block, transaction } = at
  // Coins stay also with an account whose code fails: the message does not bounce.
  if (payment.jettons !== null && !isCredited(transaction)) return { state: 'failed', why: NOT_TAKEN, block, returned }
  return { state: 'arrived', amount, block, returned }
}

/** Nanotons that a transaction sends back to the payer. */
const returnedIn = (
  { transaction }: Included,
  payer: string | undefined,
  isReturn: (body: Parameters<typeof isExcess>[0]) => boolean,
): bigint =>
  sentMessages(transaction)
    .filter(({ info, body }) => info.dest.toString() === payer && isReturn(body))
    .reduce((sum, { info }) => sum + info.value.coins, 0n)
