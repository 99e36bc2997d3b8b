import type { BlockRef } from '@causeway/core'
import { Block } from 'bitcoinjs-lib'
import type { BlockHeader } from './bitcoinSource.js'
import { type CoreRpc, NOT_FOUND, OUT_OF_RANGE, resultOf } from './coreRpc.js'
import { parsed, type RawTransaction, viewOf } from './rawTransaction.js'
import { field, hashOf, hexBytes, strange, wholeOf } from './readAnswer.js'

/** Header of a block of the best chain; null for one that the node does not know or that left the chain. */
export const headerOf = async (rpc: CoreRpc, hash: string): Promise<BlockHeader | null> => {
  const outcome = await rpc.outcome('getblock', hash, 1)
  if (!outcome.ok && outcome.error.code === NOT_FOUND) return null
  const block = resultOf(outcome, 'getblock')
  // A block that left the chain has -1.
  if (Number(field(block, 'confirmations')) < 1) return null
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
export const transactionsOf = async (rpc: CoreRpc, hash: string): Promise<readonly RawTransaction[]> => {
  const block = provenBlock(await rpc.call('getblock', hash, 0), hash)
  return (block.transactions ?? []).map(viewOf)
}

/** Blocks asked for at once: a block has up to eight million hex digits. */
const AT_ONCE = 4n

export interface WholeBlock {
  readonly block: BlockRef
  readonly transactions: readonly RawTransaction[]
}

/** Blocks of the best chain with their transactions, up to the tip. */
export async function* blocksOf(rpc: CoreRpc, from: bigint, to: bigint): AsyncGenerator<WholeBlock> {
  for (let first = from; first <= to; first += AT_ONCE) {
    const last = first + AT_ONCE - 1n < to ? first + AT_ONCE - 1n : to
    const heights = Array.from({ length: Number(last - first) + 1 }, (_, at) => first + BigInt(at))
    const outcomes = await rpc.batch(heights.map((height) => ({ method: 'getblockhash', params: [Number(height)] })))
    const hashes = outcomes.flatMap((outcome) =>
      !outcome.ok && outcome.error.code === OUT_OF_RANGE ? [] : [hashOf(resultOf(outcome, 'getblockhash'))],
    )
    const blocks = await rpc.batch(hashes.map((hash) => ({ method: 'getblock', params: [hash, 0] })))
    for (const [at, hash] of hashes.entries()) {
      const [outcome, height] = [blocks[at], heights[at]]
      if (outcome === undefined || height === undefined) throw strange('no answer')
      const block = provenBlock(resultOf(outcome, 'getblock'), hash)
      yield { block: { height, hash, time: block.timestamp }, transactions: (block.transactions ?? []).map(viewOf) }
    }
    if (hashes.length < heights.length) return
  }
}

const provenBlock = (hex: unknown, hash: string): Block => {
  const bytes = hexBytes(hex)
  const block = parsed(() => Block.fromBuffer(bytes))
  if (block.getId() !== hash || !parsed(() => block.checkTxRoots()))
    throw strange('another block than the one asked for')
  return block
}
