import { type KnownTransaction, outpointsOf } from '../chain/coins.js'
import { Refusal } from '../chain/refusal.js'
import type { Mempool, WaitingTransaction } from './mempool.js'
import { feeAt, inBitcoin, type Policy } from './policy.js'

const MAX_BIP125_SEQUENCE = 0xfffffffd

/** Waiting transactions that spend a coin this one spends. */
export const conflictsOf = (mempool: Mempool, candidate: KnownTransaction): readonly WaitingTransaction[] => {
  const ids = outpointsOf(candidate.tx).map((key) => mempool.spenderOf(key)?.txid ?? '')
  return [...new Set(ids)].flatMap((id) => mempool.entries.get(id) ?? [])
}

/**
 * The rules of BIP125 as Core applies them. Returns all that the candidate would replace, descendants included.
 * @throws Refusal
 */
export const checkReplacement = (
  mempool: Mempool,
  candidate: KnownTransaction,
  policy: Policy,
): readonly WaitingTransaction[] => {
  const conflicts = conflictsOf(mempool, candidate)
  if (conflicts.length === 0) return []
  if (!policy.fullRbf && !conflicts.every((one) => signals(mempool, one))) throw new Refusal('txn-mempool-conflict')
  const { txid } = candidate
  const ancestors = new Set(mempool.ancestorsOf(candidate).map((one) => one.txid))
  const spentTwice = conflicts.find((one) => ancestors.has(one.txid))
  if (spentTwice !== undefined) {
    throw new Refusal('bad-txns-spends-conflicting-tx', `${txid} spends conflicting transaction ${spentTwice.txid}`)
  }
  checkRates(candidate, conflicts)
  const replaced = new Map(conflicts.flatMap((one) => mempool.descendantsOf(one.txid)).map((one) => [one.txid, one]))
  if (replaced.size > policy.maxReplaced) {
    const count = `too many potential replacements (${replaced.size} > ${policy.maxReplaced})`
    throw new Refusal('too many potential replacements', `rejecting replacement ${txid}; ${count}`)
  }
  if (!policy.replacementMayAddUnconfirmed) checkUnconfirmed(mempool, candidate, conflicts)
  checkFees(candidate, [...replaced.values()], policy)
  return [...replaced.values()]
}

const signals = (mempool: Mempool, entry: WaitingTransaction): boolean =>
  [entry, ...mempool.ancestorsOf(entry)].some(({ tx }) =>
    tx.ins.some(({ sequence }) => sequence <= MAX_BIP125_SEQUENCE),
  )

const rateText = ({ fee, vsize }: KnownTransaction): string => `${inBitcoin((fee * 1000n) / BigInt(vsize))} BTC/kvB`

/** A better rate than each it conflicts with directly. */
const checkRates = (candidate: KnownTransaction, conflicts: readonly WaitingTransaction[]): void => {
  for (const conflict of conflicts) {
    if (candidate.fee * BigInt(conflict.vsize) > conflict.fee * BigInt(candidate.vsize)) continue
    const rates = `new feerate ${rateText(candidate)} <= old feerate ${rateText(conflict)}`
    throw new Refusal('insufficient fee', `rejecting replacement ${candidate.txid}; ${rates}`)
  }
}

const checkUnconfirmed = (
  mempool: Mempool,
  candidate: KnownTransaction,
  conflicts: readonly WaitingTransaction[],
): void => {
  const allowed = new Set(conflicts.flatMap(({ tx }) => outpointsOf(tx)))
  const at = outpointsOf(candidate.tx).findIndex((key) => !allowed.has(key) && mempool.coinOf(key) !== undefined)
  if (at === -1) return
  const detail = `replacement ${candidate.txid} adds unconfirmed input, idx ${at}`
  throw new Refusal('replacement-adds-unconfirmed', detail)
}

/** A higher fee than all that go, and their place in the relay paid for. */
const checkFees = (candidate: KnownTransaction, replaced: readonly WaitingTransaction[], policy: Policy): void => {
  const { txid, fee, vsize } = candidate
  const lost = replaced.reduce((sum, one) => sum + one.fee, 0n)
  if (fee < lost) {
    const fees = `less fees than conflicting txs; ${inBitcoin(fee)} < ${inBitcoin(lost)}`
    throw new Refusal('insufficient fee', `rejecting replacement ${txid}, ${fees}`)
  }
  const relay = feeAt(policy.incrementalFeeRate, vsize)
  if (fee - lost >= relay) return
  const fees = `not enough additional fees to relay; ${inBitcoin(fee - lost)} < ${inBitcoin(relay)}`
  throw new Refusal('insufficient fee', `rejecting replacement ${txid}, ${fees}`)
}
