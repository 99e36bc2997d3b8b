import { script as scripts, type Transaction } from 'bitcoinjs-lib'
import { type Coin, sumOf } from '../chain/coins.js'
import { Refusal } from '../chain/refusal.js'
import { shown } from '../chain/regtest.js'
import { formOf } from '../chain/scriptForms.js'

/** What a node relays and keeps; amounts in satoshis, rates in satoshis per 1,000 virtual bytes. */
export interface Policy {
  readonly minRelayFeeRate: bigint
  readonly incrementalFeeRate: bigint
  readonly dustFeeRate: bigint
  /** Bytes of a whole OP_RETURN script. */
  readonly maxDataScript: number
  readonly maxDataOutputs: number
  /** Replace whatever does not signal BIP125 too, as Core does since version 28. */
  readonly fullRbf: boolean
  /** A replacement may spend unconfirmed coins that what it replaces did not. */
  readonly replacementMayAddUnconfirmed: boolean
  readonly maxReplaced: number
  /** Of unconfirmed transactions that hang together, each with itself. */
  readonly maxAncestors: number
  readonly maxDescendants: number
  /** Blocks before a coinbase may be spent. */
  readonly coinbaseMaturity: number
}

/** Bitcoin Core 28 as it is delivered; transactions of version 3 and packages are not known here. */
export const DEFAULT_POLICY: Policy = {
  minRelayFeeRate: 1000n,
  incrementalFeeRate: 1000n,
  dustFeeRate: 3000n,
  maxDataScript: 83,
  maxDataOutputs: 1,
  fullRbf: true,
  replacementMayAddUnconfirmed: false,
  maxReplaced: 100,
  maxAncestors: 25,
  maxDescendants: 25,
  coinbaseMaturity: 100,
}

const MAX_MONEY = 21_000_000n * 100_000_000n
const MAX_WEIGHT = 400_000

/** The fee of a size at a rate, rounded up. */
export const feeAt = (rate: bigint, vsize: number): bigint => (rate * BigInt(vsize) + 999n) / 1000n

/** Rules of consensus that need nothing but the transaction. @throws Refusal */
export const checkForm = (tx: Transaction): void => {
  if (tx.ins.length === 0) throw new Refusal('bad-txns-vin-empty')
  if (tx.outs.length === 0) throw new Refusal('bad-txns-vout-empty')
  if (tx.outs.some(({ value }) => value < 0n)) throw new Refusal('bad-txns-vout-negative')
  if (tx.outs.some(({ value }) => value > MAX_MONEY)) throw new Refusal('bad-txns-vout-toolarge')
  if (sumOf(tx.outs) > MAX_MONEY) throw new Refusal('bad-txns-txouttotal-toolarge')
  const spends = tx.ins.map((input) => `${shown(input.hash)}:${input.index}`)
  if (new Set(spends).size !== spends.length) throw new Refusal('bad-txns-inputs-duplicate')
  if (tx.isCoinbase()) throw new Refusal('coinbase')
  if (spends.some((spend) => spend.startsWith('0'.repeat(64)))) throw new Refusal('bad-txns-prevout-null')
}

/** Rules of consensus about the coins it spends. @throws Refusal */
export const checkCoins = (tx: Transaction, spent: readonly Coin[], height: number, maturity: number): void => {
  for (const coin of spent) {
    const depth = height - (coin.height ?? height)
    if (!coin.coinbase || depth >= maturity) continue
    throw new Refusal('bad-txns-premature-spend-of-coinbase', `tried to spend coinbase at depth ${depth}`)
  }
  const [entering, leaving] = [sumOf(spent), sumOf(tx.outs)]
  if (entering >= leaving) return
  throw new Refusal('bad-txns-in-belowout', `value in (${inBitcoin(entering)}) < value out (${inBitcoin(leaving)})`)
}

/** What is valid and yet not relayed. @throws Refusal */
export const checkStandard = (tx: Transaction, policy: Policy): void => {
  if (tx.version < 1 || tx.version > 2) throw new Refusal('version')
  if (tx.weight() > MAX_WEIGHT) throw new Refusal('tx-size')
  if (tx.byteLength(false) < 65) throw new Refusal('tx-size-small')
  for (const { script } of tx.ins) {
    if (script.length > 1650) throw new Refusal('scriptsig-size')
    if (!scripts.isPushOnly(scripts.decompile(script) ?? [0x6a])) throw new Refusal('scriptsig-not-pushonly')
  }
  const forms = tx.outs.map(({ script }) => formOf(script))
  for (const [at, { script }] of tx.outs.entries()) {
    const refused = forms[at] === 'other' || (forms[at] === 'opReturn' && script.length > policy.maxDataScript)
    if (refused) throw new Refusal('scriptpubkey')
  }
  if (tx.outs.some(({ script, value }) => value < dustLimit(script, policy.dustFeeRate))) throw new Refusal('dust')
  if (forms.filter((form) => form === 'opReturn').length > policy.maxDataOutputs) throw new Refusal('multi-op-return')
}

/** Coins nobody is known to be able to spend are not spent by what is relayed. @throws Refusal */
export const checkStandardCoins = (spent: readonly Coin[]): void => {
  const strange = spent.some(({ script }) => ['other', 'witness', 'opReturn'].includes(formOf(script)))
  if (strange) throw new Refusal('bad-txns-nonstandard-inputs')
}

/** The least satoshis an output may carry: less costs more to spend than it is worth. */
export const dustLimit = (script: Uint8Array, dustFeeRate: bigint): bigint => {
  const form = formOf(script)
  if (form === 'opReturn') return 0n
  const segwit = ['p2wpkh', 'p2wsh', 'p2tr', 'witness'].includes(form)
  return feeAt(dustFeeRate, 8 + 1 + script.length + (segwit ? 67 : 148))
}

/** An amount as Core writes it: 8 decimals. */
export const inBitcoin = (satoshis: bigint): string => {
  const digits = (satoshis < 0n ? -satoshis : satoshis).toString().padStart(9, '0')
  return `${satoshis < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}
