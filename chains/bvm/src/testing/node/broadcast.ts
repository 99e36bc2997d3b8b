import { Transaction } from 'bitcoinjs-lib'
import { ALREADY_MINED, ALREADY_WAITING, MISSING_INPUTS, Refusal } from '../chain/refusal.js'
import type { LocalNode } from './localNode.js'

/** A JSON-RPC error with Core's code. */
export class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** @throws RpcFailure -22 */
export const decodeTransaction = (hex: string): Transaction => {
  try {
    return Transaction.fromHex(hex)
  } catch {
    throw new RpcFailure(-22, 'TX decode failed. Make sure the tx has at least one input.')
  }
}

/** Takes a transaction as `sendrawtransaction` does; one that waits already is taken again. @throws RpcFailure */
export const broadcast = (node: LocalNode, tx: Transaction): string => {
  try {
    node.submit(tx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.reason !== ALREADY_WAITING) throw failureOf(error)
  }
  return tx.getId()
}

const failureOf = ({ reason, message }: Refusal): RpcFailure => {
  if (reason === ALREADY_MINED) return new RpcFailure(-27, 'Transaction outputs already in utxo set')
  return new RpcFailure(reason === MISSING_INPUTS ? -25 : -26, message)
}
