import { smaller } from '@causeway/core'
import { type JsonRpcClient, LAG_GRACE_MS } from '@causeway/core/chain-kit'
import { type Head, headOf } from '../head/headSource.js'
import { quantity, type RpcBlock } from '../rpc/wire.js'
import type { Cursor, Mark } from './cursor.js'
import { blockCall } from './readDeposits.js'

/** How far back to go when no remembered block is on the chain any more. */
const DEEP_REWIND = 256n

/** Where a watcher goes back to. */
export interface Rewind {
  /** The cursor it reads on from. */
  readonly cursor: Cursor
  /** How many blocks below and with its place were replaced, as far as it remembers. */
  readonly replaced: bigint
}

/** Goes back to the newest block that a cursor remembers and that is still on the chain. */
export const rewind = async (cursor: Cursor, tip: Head, rpc: JsonRpcClient): Promise<Rewind> => {
  const marks = cursor.ring.filter((mark) => mark.number < cursor.number)
  const outcomes = await rpc.results(marks.map((mark) => blockCall(mark.number)))
  const still = marks.filter((mark, at) => {
    const block = outcomes[at] as RpcBlock | null
    return block?.hash.toLowerCase() === mark.hash
  })
  const lowest = cursor.ring[0]?.number ?? cursor.number
  const target = still.at(-1) ?? (await deepMark(smaller(lowest, tip.height), rpc))
  const { checked, number } = cursor
  const lost = marks.filter((mark, at) => isOther(outcomes[at] as RpcBlock | null, mark))
  const replaced = number - (lost[0]?.number ?? number) + 1n
  return { cursor: { ...target, ring: still, checked: smaller(checked, target.number) }, replaced }
}

const deepMark = async (lowest: bigint, rpc: JsonRpcClient): Promise<Mark> => {
  const number = lowest > DEEP_REWIND ? lowest - DEEP_REWIND : 0n
  const block = await rpc.call<RpcBlock>('eth_getBlockByNumber', [quantity(number), false])
  return { number, hash: headOf(block).hash }
}

/** The node answered, with another block in its place. */
const isOther = (block: RpcBlock | null, { hash }: Mark): boolean =>
  typeof block?.hash === 'string' && block.hash.toLowerCase() !== hash

/** For a while after the block that a watcher stands on turned out to be unknown to the node, the node may just be behind. */
export class Lag {
  #since: number | null = null

  isLikely(): boolean {
    this.#since ??= performance.now()
    return performance.now() - this.#since < LAG_GRACE_MS
  }

  end(): void {
    this.#since = null
  }
}

export const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value)
