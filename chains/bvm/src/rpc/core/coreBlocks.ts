import { setImmediate } from 'node:timers/promises'
import { ServiceError } from '@causeway/core'
import { type RpcOutcome, resultOf, strangeAnswer } from '@causeway/core/chain-kit'
import { Block, Transaction } from 'bitcoinjs-lib'
import type { BlockHeader, WholeBlock } from '../bitcoinSource.js'
import { parsed, type RawTransaction, viewOf } from '../rawTransaction.js'
import { field, hashOf, hexBytes, listOf, wholeOf } from '../readAnswer.js'
import { type CoreRpc, NOT_FOUND, OUT_OF_RANGE } from './coreRpc.js'

/** Header of a block of the best chain; null for one that the node does not know or that left the chain. */
export const headerOf = async (rpc: CoreRpc, hash: string): Promise<BlockHeader | null> => {
  const outcome = await rpc.outcome('getblock', hash, 1)
  if (!outcome.ok && outcome.error.code === NOT_FOUND) return null
  const block = resultOf(outcome, 'getblock')
  // A block that left the chain has -1.
  if (Number(field(block, 'confirmations')) < 1) return null
  if (field(block, 'hash') !== hash) throw strangeAnswer('another block than the one asked for')
  const previous = field(block, 'previousblockhash')
  return {
    height: BigInt(wholeOf(field(block, 'height'))),
    hash: hashOf(field(block, 'hash')),
    time: wholeOf(field(block, 'time')),
    previousHash: typeof previous === 'string' ? hashOf(previous) : null,
  }
}

/** Hash at a height of the best chain; null above the tip. */
export const hashAt = async (rpc: CoreRpc, height: bigint): Promise<string | null> => {
  const outcome = await rpc.outcome('getblockhash', Number(height))
  if (!outcome.ok && outcome.error.code === OUT_OF_RANGE) return null
  return hashOf(resultOf(outcome, 'getblockhash'))
}

/** A block's transactions out of its bytes, proven by the block's hash and its tree of transactions. */
export const transactionsOf = async (rpc: CoreRpc, hash: string): Promise<readonly RawTransaction[]> =>
  ((await readBlock(rpc, hash)).transactions ?? []).map(viewOf)

/** A block in one answer, or, where the node does not give one so long, by its transactions (faults.md F132). */
const readBlock = async (rpc: CoreRpc, hash: string): Promise<Block> => {
  try {
    return provenBlock(blockOf(await rpc.call('getblock', hash, 0)), hash)
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    return provenBlock(await inParts(rpc, hash), hash)
  }
}

/** Transactions asked for at once where a block is read by them. */
const TRANSACTIONS_AT_ONCE = 25

const inParts = async (rpc: CoreRpc, hash: string): Promise<Block> => {
  const header = hexBytes(await rpc.call('getblockheader', hash, false))
  const block = parsed(() => Block.fromBuffer(header))
  const ids = listOf(field(await rpc.call('getblock', hash, 1), 'tx')).map(hashOf)
  const transactions: Transaction[] = []
  for (let at = 0; at < ids.length; at += TRANSACTIONS_AT_ONCE) {
    const calls = ids.slice(at, at + TRANSACTIONS_AT_ONCE).map((id) => ({
      method: 'getrawtransaction',
      params: [id, 0, hash],
    }))
    for (const outcome of await rpc.batch(calls)) {
      const bytes = hexBytes(resultOf(outcome, 'getrawtransaction'))
      transactions.push(parsed(() => Transaction.fromBuffer(bytes)))
    }
  }
  block.transactions = transactions
  const commitment = block.getWitnessCommit()
  if (commitment !== null) block.witnessCommit = commitment
  return block
}

/** Blocks asked for at once: a block has up to eight million hex digits. */
const AT_ONCE = 4n

/** Blocks of the best chain with their transactions, up to the tip. */
export async function* blocksOf(rpc: CoreRpc, from: bigint, to: bigint): AsyncGenerator<WholeBlock> {
  for (let first = from; first <= to; first += AT_ONCE) {
    const last = first + AT_ONCE - 1n < to ? first + AT_ONCE - 1n : to
    const heights = Array.from({ length: Number(last - first) + 1 }, (_, at) => first + BigInt(at))
    const outcomes = await rpc.batch(heights.map((height) => ({ method: 'getblockhash', params: [Number(height)] })))
    const hashes = outcomes.flatMap((outcome) =>
      !outcome.ok && outcome.error.code === OUT_OF_RANGE ? [] : [hashOf(resultOf(outcome, 'getblockhash'))],
    )
    const answers = await together(rpc, hashes)
    for (const [at, hash] of hashes.entries()) {
      const [outcome, height] = [answers[at], heights[at]]
      if (height === undefined) throw strangeAnswer('no answer')
      // Reading a full block takes a while: others get their turn.
      await setImmediate()
      const block = outcome?.ok ? provenBlock(blockOf(outcome.result), hash) : await readBlock(rpc, hash)
      yield wholeBlockOf(block, height)
    }
    if (hashes.length < heights.length) return
  }
}

/** Nothing of those that a node does not answer together. */
const together = async (rpc: CoreRpc, hashes: readonly string[]): Promise<readonly RpcOutcome[]> => {
  try {
    return await rpc.batch(hashes.map((hash) => ({ method: 'getblock', params: [hash, 0] })))
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    return []
  }
}

const blockOf = (hex: unknown): Block => parsedBlock(hexBytes(hex))

/** @throws ServiceError RPC_HTTP_ERROR when the bytes are no block */
export const parsedBlock = (bytes: Uint8Array): Block => parsed(() => Block.fromBuffer(bytes))

/** What a proven block holds, at a height. */
export const wholeBlockOf = (block: Block, height: bigint): WholeBlock => {
  const previous = block.prevHash ?? new Uint8Array()
  return {
    block: {
      height,
      hash: block.getId(),
      time: block.timestamp,
      previousHash: height === 0n ? null : Buffer.from(previous).reverse().toString('hex'),
    },
    transactions: (block.transactions ?? []).map(viewOf),
  }
}

/** The block, if its hash is the one asked for and commits to what it holds. */
export const provenBlock = (block: Block, hash: string): Block => {
  if (block.getId() !== hash || !parsed(() => block.checkTxRoots()))
    throw strangeAnswer('another block than the one asked for')
  return block
}
