import { smaller } from '@causeway/core'
import { Grace, type JsonRpcClient, LAG_GRACE_MS, strangeAnswer } from '@causeway/core/chain-kit'
import { blockCall } from '../../deposit/readDeposits.js'
import { type Head, headOf } from '../../rpc/headSource.js'
import { quantity, type RpcBlock } from '../../rpc/wire.js'
import type { Cursor, Mark } from './cursor.js'

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
  return { number, hash: headOf(await blockAt(number, rpc)).hash }
}

/** A block that was on the chain. @throws ServiceError where the node does not have it */
export const blockAt = async (number: bigint, rpc: Pick<JsonRpcClient, 'call'>): Promise<RpcBlock> => {
  const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), false])
  if (block === null) throw strangeAnswer('a node without a block below its head')
  return block
}

/** The node answered, with another block in its place. */
const isOther = (block: RpcBlock | null, { hash }: Mark): boolean =>
  typeof block?.hash === 'string' && block.hash.toLowerCase() !== hash

/** How long a node may contradict itself, milliseconds: less than a node may be behind. */
const DOUBT_MS = LAG_GRACE_MS - 1000

/**
 * Leaves a node that contradicts itself for a while: it lists what it does not show, or lacks a block that it announced. It counts as
 * failed, so that another one is asked first.
 */
export class NodeDoubt {
  readonly #rpc: Pick<JsonRpcClient, 'ordered'>
  readonly #grace = new Grace(DOUBT_MS)

  constructor(rpc: Pick<JsonRpcClient, 'ordered'>) {
    this.#rpc = rpc
  }

  /** The node that is asked first did not show what it must. */
  note(): void {
    if (this.#grace.lasts()) return
    this.#grace.end()
    this.#rpc.ordered()[0]?.fail(strangeAnswer('it does not show what it lists'))
  }

  /** It did. */
  end(): void {
    this.#grace.end()
  }
}

export const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value)
