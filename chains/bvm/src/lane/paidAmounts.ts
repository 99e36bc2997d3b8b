import { equalBytes } from '../address/scriptAddress.js'
import { type ChainTransaction, feePaid, spentFrom } from '../rpc/chainTransaction.js'

/** Satoshis that a transaction's outputs pay a script. */
export const paidTo = ({ outputs }: Pick<ChainTransaction, 'outputs'>, script: Uint8Array): bigint =>
  outputs.reduce((sum, output) => (equalBytes(output.script, script) ? sum + output.value : sum), 0n)

/** Satoshis that a script has more than before, the network's fee, which it paid, not counted; never negative. */
export const gainedBy = (transaction: ChainTransaction, script: Uint8Array): bigint => {
  const spent = spentFrom(transaction, script).reduce((sum, { value }) => sum + value, 0n)
  const gained = paidTo(transaction, script) - spent + (feePaid(transaction) ?? 0n)
  return gained > 0n ? gained : 0n
}
