import { CallError } from '@causeway/core/testing'
import { Transaction } from 'bitcoinjs-lib'
import { ALREADY_MINED, ALREADY_WAITING, MISSING_INPUTS, Refusal } from '../chain/refusal.js'
import type { LocalNode } from './localNode.js'

/** @throws CallError -22 */
export const decodeTransaction = (hex: string): Transaction => {
  try {
    return Transaction.fromHex(hex)
  } catch {
    throw new CallError(-22, 'TX decode failed. Make sure the tx has at least one input.')
  }
}

/** Takes a transaction as `sendrawtransaction` does; one that waits already is taken again. @throws CallError */
export const broadcast = (node: LocalNode, tx: Transaction): string => {
  try {
    node.submit(tx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.reason !== ALREADY_WAITING) throw failureOf(error)
  }
  return tx.getId()
}

const failureOf = ({ reason, message }: Refusal): CallError => {
  if (reason === ALREADY_MINED) return new CallError(-27, 'Transaction outputs already in utxo set')
  return new CallError(reason === MISSING_INPUTS ? -25 : -26, message)
}
