import { crypto, type Transaction } from 'bitcoinjs-lib'
import { shown } from './regtest.js'

/** An output that exists: spendable while nothing has spent it. */
export interface Coin {
  readonly txid: string
  readonly vout: number
  /** Satoshis. */
  readonly value: bigint
  readonly script: Uint8Array
  /** The block it was made in; null while its transaction waits. */
  readonly height: number | null
  readonly coinbase: boolean
}

/** A transaction a node has checked, with the coins it spends. */
export interface KnownTransaction {
  readonly tx: Transaction
  readonly txid: string
  readonly wtxid: string
  readonly spent: readonly Coin[]
  /** Satoshis; 0 for a coinbase. */
  readonly fee: bigint
  readonly vsize: number
  /** Unix seconds at which it was first seen. */
  readonly seenAt: number
}

/** The name of a coin: `txid:vout`. */
export const outpoint = (txid: string, vout: number): string => `${txid}:${vout}`

/** The outpoints a transaction spends; none for a coinbase. */
export const outpointsOf = (tx: Transaction): readonly string[] =>
  tx.isCoinbase() ? [] : tx.ins.map((input) => outpoint(shown(input.hash), input.index))

/** The outputs of a transaction as coins; `height` is null while it waits. */
export const coinsMadeBy = (tx: Transaction, height: number | null): readonly Coin[] => {
  const txid = tx.getId()
  const coinbase = tx.isCoinbase()
  return tx.outs.map(({ value, script }, vout) => ({ txid, vout, value, script, height, coinbase }))
}

/** Satoshis of all together. */
export const sumOf = (items: readonly { readonly value: bigint }[]): bigint =>
  items.reduce((sum, { value }) => sum + value, 0n)

/** The id of all of its bytes; also of a coinbase, whose place in a block's commitment is zeros. */
export const wtxidOf = (tx: Transaction): string => shown(crypto.hash256(tx.toBuffer()))

/** A transaction with what follows from it and the coins it spends, which stand in the order of its inputs. */
export const known = (tx: Transaction, spent: readonly Coin[], seenAt: number): KnownTransaction => ({
  tx,
  txid: tx.getId(),
  wtxid: wtxidOf(tx),
  spent,
  fee: tx.isCoinbase() ? 0n : sumOf(spent) - sumOf(tx.outs),
  vsize: tx.virtualSize(),
  seenAt,
})
