import { equalBytes } from '../address/scriptAddress.js'
import { type ChainTransaction, feePaid } from '../rpc/chainTransaction.js'

/** Satoshis that a transaction's outputs pay a script. */
export const paidTo = ({ outputs }: Pick<ChainTransaction, 'outputs'>, script: Uint8Array): bigint =>
  outputs.reduce((sum, output) => (equalBytes(output.script, script) ? sum + output.value : sum), 0n)

/** Satoshis that a script has more than before, the network's fee, which it paid, not counted; never negative. */
export const gainedBy = (transaction: ChainTransaction, script: Uint8Array): bigint => {
  const spent = transaction.inputs.reduce(
    (sum, { previous }) => (previous !== null && equalBytes(previous.script, script) ? sum + previous.value : sum),
    0n,
  )
  const gained = paidTo(transaction, script) - spent + (feePaid(transaction) ?? 0n)
  return gained > 0n ? gained : 0n
}
