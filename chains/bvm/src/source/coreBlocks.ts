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
  const bytes = hexBytes(await rpc.call('getblock', hash, 0))
  const block = parsed(() => Block.fromBuffer(bytes))
  if (block.getId() !== hash || !parsed(() => block.checkTxRoots()))
    throw strange('another block than the one asked for')
  return (block.transactions ?? []).map(viewOf)
}
