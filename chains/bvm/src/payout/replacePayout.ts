import { equalBytes } from '../address/scriptAddress.js'
import type { Coin } from './coins/coin.js'
import { dustLimit } from './coins/dust.js'
import { type FeeRate, feeOf, RELAY_RATE } from './coins/feeRate.js'
import type { CoinOutput } from './coins/selectCoins.js'
import { type PayoutTransaction, payoutFee, payoutSize } from './payoutTransaction.js'

/** Fees that a later version must pay. */
export interface ReplacementTerms {
  readonly rate: FeeRate
  /** Satoshis that waiting descendants of the version before pay, which it takes out of the mempool (BIP-125 rule 3); absent: 0. */
  readonly evicted?: bigint
}

/**
 * A version that nodes take in place of this one: the same inputs and payments, and a fee that is higher by BIP-125, as a whole
 * and by rate. It comes out of the change, then out of `extra`: coins of our own in blocks, whose guards are free. Null when
 * neither is enough.
 */
export const raiseFee = (
  payout: PayoutTransaction,
  terms: ReplacementTerms,
  extra: readonly Coin[] = [],
): PayoutTransaction | null => {
  const added: Coin[] = []
  for (const coin of [null, ...extra]) {
    if (coin !== null) added.push(coin)
    const raised = withFee({ ...payout, inputs: [...payout.inputs, ...added] }, terms, payout)
    if (raised !== null) return raised
  }
  return null
}

/**
 * Spends the same inputs for nothing: what belonged to others goes back to them whole, all else to `from`, at a fee that replaces
 * every version so far.
 */
export const cancelPayout = (
  payout: PayoutTransaction,
  terms: ReplacementTerms,
  from: Uint8Array,
): PayoutTransaction | null => {
  if (payout.sweeps !== undefined) return cancelSweep(payout, terms, from)
  const others = new Map<string, CoinOutput>()
  for (const { script, value } of payout.inputs) {
    if (equalBytes(script, from)) continue
    const key = Buffer.from(script).toString('hex')
    others.set(key, { script, value: value + (others.get(key)?.value ?? 0n) })
  }
  const outputs = [...others.values(), { script: from, value: 0n }]
  return withFee({ inputs: payout.inputs, outputs, changeAt: others.size }, terms, payout)
}

/** Spends the lane's own inputs of a sweep for nothing: it can never land then, and what lies at the addresses stays where it is. */
const cancelSweep = (
  payout: PayoutTransaction,
  terms: ReplacementTerms,
  from: Uint8Array,
): PayoutTransaction | null => {
  const inputs = payout.inputs.filter(({ script }) => equalBytes(script, from))
  return withFee({ inputs, outputs: [{ script: from, value: 0n }], changeAt: 0 }, terms, payout)
}

/** `draft` with its change set by the fee; without change when that would be dust. */
const withFee = (
  draft: PayoutTransaction,
  terms: ReplacementTerms,
  replaced: PayoutTransaction,
): PayoutTransaction | null => {
  const { changeAt, outputs } = draft
  const change = changeAt === null ? undefined : outputs[changeAt]
  const others = outputs.filter((_, at) => at !== changeAt)
  const total = sumOf(draft.inputs) - sumOf(others)
  if (change !== undefined) {
    const value = total - leastFee(payoutSize(draft), terms, replaced)
    const ordered = outputs.map((output, at) => (at === changeAt ? { ...output, value } : output))
    if (value >= dustLimit(change.script)) return { ...draft, outputs: ordered }
  }
  if (others.length === 0) return null
  const bare = { ...draft, outputs: others, changeAt: null }
  return total >= leastFee(payoutSize(bare), terms, replaced) ? bare : null
}

/**
 * BIP-125 rules 3, 4 and, by Bitcoin Core, 6: more than all that leaves the mempool paid, descendants included, by the relay fee of its own
 * size, at a higher rate than the version before.
 */
const leastFee = (size: bigint, { rate, evicted = 0n }: ReplacementTerms, replaced: PayoutTransaction): bigint => {
  const before = payoutFee(replaced)
  const [wanted, relayed] = [feeOf(size, rate), before + evicted + feeOf(size, RELAY_RATE)]
  const higher = (before * size) / payoutSize(replaced) + 1n
  return [wanted, relayed, higher].reduce((most, fee) => (fee > most ? fee : most))
}

const sumOf = (parts: readonly { readonly value: bigint }[]): bigint =>
  parts.reduce((sum, { value }) => sum + value, 0n)
