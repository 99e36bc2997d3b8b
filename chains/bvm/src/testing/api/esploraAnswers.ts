import type { TxInput, TxOutput } from 'bitcoinjs-lib'
import type { MinedBlock } from '../chain/chain.js'
import type { Coin } from '../chain/coins.js'
import { shown, toHex } from '../chain/regtest.js'
import { addressOf, esploraWords, formOf, type ScriptForm } from '../chain/scriptForms.js'
import { sameBytes, type View, type ViewedTransaction } from './view.js'

const TYPES: Readonly<Record<ScriptForm, string>> = {
  p2pk: 'p2pk',
  p2pkh: 'p2pkh',
  p2sh: 'p2sh',
  p2wpkh: 'v0_p2wpkh',
  p2wsh: 'v0_p2wsh',
  p2tr: 'v1_p2tr',
  opReturn: 'op_return',
  witness: 'unknown',
  other: 'unknown',
}

// Amounts below are numbers, as Esplora sends them: all satoshis that can exist are exact ones.

const outputAnswer = ({ script, value }: TxOutput | Coin) => {
  const address = addressOf(script)
  return {
    scriptpubkey: toHex(script),
    scriptpubkey_asm: esploraWords(script),
    scriptpubkey_type: TYPES[formOf(script)],
    ...(address === null ? {} : { scriptpubkey_address: address }),
    value: Number(value),
  }
}

const inputAnswer = (input: TxInput, coin: Coin | undefined) => ({
  txid: shown(input.hash),
  vout: input.index,
  prevout: coin === undefined ? null : outputAnswer(coin),
  scriptsig: toHex(input.script),
  scriptsig_asm: coin === undefined ? toHex(input.script) : esploraWords(input.script),
  ...(input.witness.length === 0 ? {} : { witness: input.witness.map(toHex) }),
  is_coinbase: coin === undefined,
  sequence: input.sequence,
})

/** Whether a transaction is mined, and in which block. */
export const statusAnswer = ({ block }: ViewedTransaction) =>
  block === null
    ? { confirmed: false }
    : { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.block.timestamp }

/** A transaction as Esplora shows it. */
export const transactionAnswer = (viewed: ViewedTransaction) => {
  const { tx, txid, spent, fee } = viewed.entry
  return {
    txid,
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.ins.map((input, at) => inputAnswer(input, spent[at])),
    vout: tx.outs.map(outputAnswer),
    size: tx.byteLength(),
    weight: tx.weight(),
    fee: Number(fee),
    status: statusAnswer(viewed),
  }
}

/** A block as Esplora shows it, without its transactions. */
export const blockAnswer = (view: View, { block, hash, height, transactions }: MinedBlock) => ({
  id: hash,
  height,
  version: block.version,
  timestamp: block.timestamp,
  tx_count: transactions.length,
  size: block.byteLength(),
  weight: block.weight(),
  merkle_root: shown(block.merkleRoot ?? new Uint8Array()),
  previousblockhash: height === 0 ? null : shown(block.prevHash ?? new Uint8Array()),
  mediantime: view.node.chain.medianTime(height),
  nonce: block.nonce,
  bits: block.bits,
  difficulty: 4.6565423739069247e-10,
})

/** What spends an output, if anything does. */
export const outspendAnswer = (view: View, txid: string, vout: number) => {
  const spender = view.spenderOf(txid, vout)
  if (spender === undefined) return { spent: false }
  return { spent: true, txid: spender.viewed.entry.txid, vin: spender.vin, status: statusAnswer(spender.viewed) }
}

/** The coins of a script that nothing shown spends. */
export const unspentAnswer = (view: View, script: Uint8Array) =>
  [...view.waitingOf(script), ...view.minedOf(script)].flatMap((viewed) =>
    viewed.entry.tx.outs.flatMap((output, vout) => {
      const { txid } = viewed.entry
      const unspent = sameBytes(output.script, script) && view.spenderOf(txid, vout) === undefined
      return unspent ? [{ txid, vout, status: statusAnswer(viewed), value: Number(output.value) }] : []
    }),
  )

/** Counts and sums of an address, or of a script by its hash. */
export const addressAnswer = (view: View, name: Readonly<Record<string, string>>, script: Uint8Array) => ({
  ...name,
  chain_stats: statsOf(view.minedOf(script), script),
  mempool_stats: statsOf(view.waitingOf(script), script),
})

const statsOf = (viewed: readonly ViewedTransaction[], script: Uint8Array) => {
  const own = (parts: readonly { script: Uint8Array; value: bigint }[]) =>
    parts.filter((part) => sameBytes(part.script, script)).map(({ value }) => value)
  const funded = viewed.flatMap(({ entry }) => own(entry.tx.outs))
  const spent = viewed.flatMap(({ entry }) => own(entry.spent))
  const sum = (values: readonly bigint[]) => Number(values.reduce((total, value) => total + value, 0n))
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: viewed.length,
  }
}
