import { paidTo } from '../lane/paidAmounts.js'
import { type ChainTransaction, feePaid, spentFrom } from '../rpc/chainTransaction.js'

/**
 * Satoshis that a transaction brought a script; below 0, what it took out, without the fee. Null where others paid along, so that nobody
 * can tell whose fee it was, or where it is not in a block.
 */
export const scriptGain = (transaction: ChainTransaction, script: Uint8Array): bigint | null => {
  if (transaction.block === null) return null
  const own = spentFrom(transaction, script)
  const received = paidTo(transaction, script)
  if (own.length === 0) return received
  const fee = feePaid(transaction)
  if (fee === null || own.length < transaction.inputs.length) return null
  return received + fee - own.reduce((sum, { value }) => sum + value, 0n)
}
