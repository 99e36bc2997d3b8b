import type { MinedBlock } from '../chain/chain.js'
import { type Coin, coinsMadeBy, type KnownTransaction } from '../chain/coins.js'
import { shown, toHex } from '../chain/regtest.js'
import { addressOf, coreWords, formOf, type ScriptForm } from '../chain/scriptForms.js'
import type { WaitingTransaction } from '../mempool/mempool.js'
import { btc } from './coreJson.js'
import type { View, ViewedTransaction } from './view.js'

const TYPES: Readonly<Record<ScriptForm, string>> = {
  p2pk: 'pubkey',
  p2pkh: 'pubkeyhash',
  p2sh: 'scripthash',
  p2wpkh: 'witness_v0_keyhash',
  p2wsh: 'witness_v0_scripthash',
  p2tr: 'witness_v1_taproot',
  opReturn: 'nulldata',
  witness: 'witness_unknown',
  other: 'nonstandard',
}

/** An output script as Core shows it. */
export const scriptAnswer = (script: Uint8Array) => {
  const address = addressOf(script)
  return {
    asm: coreWords(script),
    hex: toHex(script),
    ...(address === null ? {} : { address }),
    type: TYPES[formOf(script)],
  }
}

const previousAnswer = (coin: Coin) => ({
  generated: coin.coinbase,
  ...(coin.height === null ? {} : { height: coin.height }),
  value: btc(coin.value),
  scriptPubKey: scriptAnswer(coin.script),
})

/** How much is told: `fees` with what it paid, `inputs` with the coins it spent too. */
export type Detail = 'plain' | 'fees' | 'inputs'

const inputAnswers = ({ tx, spent }: KnownTransaction, detail: Detail) =>
  tx.ins.map(({ hash, index, script, sequence, witness }, at) => {
    const coin = spent[at]
    const told = {
      ...(witness.length === 0 ? {} : { txinwitness: witness.map(toHex) }),
      ...(coin === undefined || detail !== 'inputs' ? {} : { prevout: previousAnswer(coin) }),
      sequence,
    }
    if (tx.isCoinbase()) return { coinbase: toHex(script), ...told }
    return { txid: shown(hash), vout: index, scriptSig: { asm: coreWords(script), hex: toHex(script) }, ...told }
  })

/** A transaction as Core shows it, without where it is. */
export const coreTransaction = (entry: KnownTransaction, detail: Detail) => {
  const { tx, txid, wtxid, vsize, fee } = entry
  return {
    txid,
    hash: wtxid,
    version: tx.version,
    size: tx.byteLength(),
    vsize,
    weight: tx.weight(),
    locktime: tx.locktime,
    vin: inputAnswers(entry, detail),
    vout: tx.outs.map(({ value, script }, n) => ({ value: btc(value), n, scriptPubKey: scriptAnswer(script) })),
    ...(detail === 'plain' || tx.isCoinbase() ? {} : { fee: btc(fee) }),
    hex: tx.toHex(),
  }
}

/** Where a transaction is: nothing while it waits. */
export const placeAnswer = (view: View, { block }: ViewedTransaction) => {
  if (block === null) return {}
  const { timestamp } = block.block
  const confirmations = Math.max(0, view.confirmationsOf(block))
  return { blockhash: block.hash, confirmations, time: timestamp, blocktime: timestamp }
}

/** What `getblockheader` tells; confirmations are -1 for a block that left the chain. */
export const headerAnswer = (view: View, mined: MinedBlock) => {
  const { block, hash, height, transactions } = mined
  const next = view.blockAt(height + 1)
  const confirmations = view.confirmationsOf(mined)
  return {
    hash,
    confirmations,
    height,
    version: block.version,
    versionHex: block.version.toString(16).padStart(8, '0'),
    merkleroot: shown(block.merkleRoot ?? new Uint8Array()),
    time: block.timestamp,
    mediantime: view.node.chain.medianTime(height),
    nonce: block.nonce,
    bits: block.bits.toString(16),
    difficulty: 4.6565423739069247e-10,
    chainwork: (2n * BigInt(height + 1)).toString(16).padStart(64, '0'),
    nTx: transactions.length,
    ...(height === 0 ? {} : { previousblockhash: shown(block.prevHash ?? new Uint8Array()) }),
    ...(confirmations < 1 || next === undefined ? {} : { nextblockhash: next.hash }),
  }
}

/** What `getblock` tells at verbosity 1 to 3. */
export const coreBlock = (view: View, mined: MinedBlock, verbosity: number) => {
  const { block, transactions } = mined
  const detail: Detail = verbosity === 2 ? 'fees' : 'inputs'
  const told = transactions.map((entry) => (verbosity === 1 ? entry.txid : coreTransaction(entry, detail)))
  const strippedsize = block.byteLength(false, false)
  return {
    ...headerAnswer(view, mined),
    strippedsize,
    size: block.byteLength(),
    weight: block.weight(),
    tx: told,
  }
}

/** An entry of the mempool with those it hangs together with. */
export const mempoolEntry = (view: View, { entry }: ViewedTransaction) => {
  const { mempool } = view.node
  const ancestors = [entry, ...mempool.ancestorsOf(entry)]
  const descendants = mempool.descendantsOf(entry.txid)
  const size = (entries: readonly KnownTransaction[]) => entries.reduce((sum, { vsize }) => sum + vsize, 0)
  const fees = (entries: readonly KnownTransaction[]) => btc(entries.reduce((sum, { fee }) => sum + fee, 0n))
  return {
    vsize: entry.vsize,
    weight: entry.tx.weight(),
    time: entry.seenAt,
    height: seenHeight(entry) ?? view.height,
    descendantcount: descendants.length,
    descendantsize: size(descendants),
    ancestorcount: ancestors.length,
    ancestorsize: size(ancestors),
    wtxid: entry.wtxid,
    fees: { base: btc(entry.fee), modified: btc(entry.fee), ancestor: fees(ancestors), descendant: fees(descendants) },
    depends: mempool.parentsOf(entry).map(({ txid }) => txid),
    spentby: mempool.childrenOf(entry).map(({ txid }) => txid),
    'bip125-replaceable': ancestors.some(({ tx }) => tx.ins.some(({ sequence }) => sequence <= 0xfffffffd)),
    unbroadcast: false,
  }
}

const seenHeight = (entry: KnownTransaction | WaitingTransaction): number | undefined =>
  'seenHeight' in entry ? entry.seenHeight : undefined

/** One unspent coin as `gettxout` shows it; null when it is spent or not known. */
export const unspentOutput = (view: View, txid: string, vout: number, mempool: boolean) => {
  const viewed = view.find(txid)
  const coin = viewed && coinsMadeBy(viewed.entry.tx, viewed.block?.height ?? null)[vout]
  if (viewed === undefined || coin === undefined || formOf(coin.script) === 'opReturn') return null
  if (viewed.block === null && !mempool) return null
  const spender = view.spenderOf(txid, vout)
  if (spender !== undefined && (mempool || spender.viewed.block !== null)) return null
  return {
    bestblock: view.tip.hash,
    confirmations: viewed.block === null ? 0 : view.confirmationsOf(viewed.block),
    value: btc(coin.value),
    scriptPubKey: scriptAnswer(coin.script),
    coinbase: coin.coinbase,
  }
}
