import { CallError } from '@causeway/core/testing'
import type { Transaction } from 'bitcoinjs-lib'
import { wtxidOf } from '../chain/coins.js'
import { MISSING_INPUTS, Refusal } from '../chain/refusal.js'
import { feeAt } from '../mempool/policy.js'
import { broadcast, decodeTransaction } from '../node/broadcast.js'
import { btc, satoshisOf } from './coreJson.js'
import type { View } from './view.js'

/** The dearest rate a node sends for its user, unless told: 0.1 BTC per 1,000 virtual bytes. */
const MAX_FEE_RATE = 10_000_000n

/** The answer of `testmempoolaccept` for one transaction. @throws CallError -22 when it is none */
export const tested = (view: View, hex: string, maxFeeRate: unknown) => {
  const tx = decodeTransaction(hex)
  const txid = tx.getId()
  try {
    const { fee, vsize, wtxid } = view.node.judge(tx)
    if (isTooDear(fee, vsize, maxFeeRate)) return { txid, wtxid, allowed: false, 'reject-reason': 'max-fee-exceeded' }
    const rate = btc((fee * 1000n) / BigInt(vsize))
    const fees = { base: btc(fee), 'effective-feerate': rate, 'effective-includes': [wtxid] }
    return { txid, wtxid, allowed: true, vsize, fees }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reason = error.reason === MISSING_INPUTS ? 'missing-inputs' : error.reason
    return { txid, wtxid: wtxidOf(tx), allowed: false, 'reject-reason': reason, 'reject-details': error.message }
  }
}

/** Serves `sendrawtransaction`. @throws CallError */
export const send = (view: View, tx: Transaction, maxFeeRate: unknown): string => {
  const dear = isTooDearFor(view, tx, maxFeeRate)
  if (dear) throw new CallError(-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)')
  return broadcast(view.node, tx)
}

/** What breaks a rule is left to be refused for that. */
const isTooDearFor = (view: View, tx: Transaction, maxFeeRate: unknown): boolean => {
  try {
    const { fee, vsize } = view.node.judge(tx)
    return isTooDear(fee, vsize, maxFeeRate)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A limit of 0 is none. */
const isTooDear = (fee: bigint, vsize: number, maxFeeRate: unknown): boolean => {
  const limit = maxFeeRate === undefined || maxFeeRate === null ? MAX_FEE_RATE : satoshisOf(maxFeeRate)
  if (limit === undefined) throw new CallError(-3, 'Amount is not a number or string')
  return limit !== 0n && fee > feeAt(limit, vsize)
}
