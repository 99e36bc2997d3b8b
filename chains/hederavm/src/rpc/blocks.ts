import { ServiceError } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { nanosOf, SECOND, timeText } from '../address/times.js'
import { COUNT, HASH, TIME } from './fields.js'
import { type Asked, findAt } from './mirrorNode.js'

const blockSchema = Type.Object({
  ...{ number: COUNT, hash: HASH, timestamp: Type.Object({ from: TIME, to: TIME }) },
})

/** A record file of the network: its transactions reached consensus between two times, both in. */
export interface Block extends BlockRef {
  /** Nanoseconds. */
  readonly from: bigint
  readonly to: bigint
}

const blockOf = ({ number, hash, timestamp }: Static<typeof blockSchema>): Block => {
  const [from, to] = [nanosOf(timestamp.from), nanosOf(timestamp.to)]
  if (from > to) throw strangeAnswer('a block that ends before it begins')
  return { height: BigInt(number), hash, time: Number(to / SECOND), from, to }
}

const checkBlock = answerOf(blockSchema)
const readBlock = (answer: unknown): Block => blockOf(checkBlock(answer))
const checkBlocks = answerOf(Type.Object({ blocks: Type.Array(blockSchema) }))
const readBlocks = (answer: unknown): readonly Block[] => checkBlocks(answer).blocks.map(blockOf)

/** A block without its times. */
export const refOf = ({ height, hash, time }: Block): BlockRef => ({ height, hash, time })

/** The block of a consensus time, among blocks without gaps. @throws ServiceError RPC_HTTP_ERROR where none has it */
export const blockIn = (blocks: readonly Block[], time: bigint): BlockRef => {
  const block = blocks.find(({ from, to }) => from <= time && time <= to)
  if (block === undefined) throw strangeAnswer('a transaction outside the blocks that were asked for')
  return refOf(block)
}

/** Mirror nodes list no more at once. */
export const MOST_LISTED = 100

const requireFirst = (blocks: readonly Block[] | null): Block => {
  const [first] = blocks ?? []
  if (first !== undefined) return first
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A mirror node of this chain has no blocks.')
}

/** The newest block: mirror nodes take up a block with all its transactions at once. */
export const askNewest = async (asked: Asked): Promise<Block> =>
  requireFirst(await findAt(asked, '/blocks', readBlocks, { limit: '1', order: 'desc' }))

/** The oldest block: the node has all transactions since. */
export const askOldest = async (asked: Asked): Promise<Block> =>
  requireFirst(await findAt(asked, '/blocks', readBlocks, { limit: '1', order: 'asc' }))

/** A block by its number; null where the node has none. */
export const askBlock = (asked: Asked, height: bigint): Promise<Block | null> =>
  findAt(asked, `/blocks/${height}`, readBlock)

/** Hash of block 0; null where the node pruned the block. */
export const askGenesis = async (asked: Asked): Promise<string | null> => (await askBlock(asked, 0n))?.hash ?? null

/** The block of a consensus time; null where the node has none that is so new, or pruned the block. */
export const askBlockAt = async (asked: Asked, time: bigint): Promise<Block | null> => {
  const query = { timestamp: `gte:${timeText(time)}`, order: 'asc', limit: '1' }
  const [block] = (await findAt(asked, '/blocks', readBlocks, query)) ?? []
  return block !== undefined && block.from <= time && time <= block.to ? block : null
}

/** The first and last block of a range of heights, and the block of each consensus time in it. */
export interface BlockRange {
  readonly first: Block
  readonly last: Block
  /** @throws ServiceError RPC_HTTP_ERROR for a time of no block in the range */
  blockAt(time: bigint): Promise<BlockRef>
}

/** Blocks between two heights, both in; of a long range only the ends are asked for. @throws ServiceError where the node has none */
export const askRange = async (asked: Asked, from: bigint, upTo: bigint): Promise<BlockRange> => {
  if (upTo - from < BigInt(MOST_LISTED)) {
    const blocks = await askBlocks(asked, from, upTo)
    const [first, last] = [requireFirst(blocks), requireFirst(blocks.slice(-1))]
    return { first, last, blockAt: async (time) => blockIn(blocks, time) }
  }
  const [start, end] = await Promise.all([askBlock(asked, from), askBlock(asked, upTo)])
  const [first, last] = [start ?? (await askOldest(asked)), requireFirst(end === null ? null : [end])]
  const blockAt = async (time: bigint): Promise<BlockRef> => {
    const block = await askBlockAt(asked, time)
    return blockIn(block === null ? [] : [block], time)
  }
  return { first, last, blockAt }
}

/** Blocks between two heights, both in, oldest first and without gaps; those before the first one are pruned. */
export const askBlocks = async (asked: Asked, first: bigint, last: bigint): Promise<readonly Block[]> => {
  const blocks: Block[] = []
  for (let next = first; next <= last; ) {
    const query = { 'block.number': [`gte:${next}`, `lte:${last}`], order: 'asc', limit: String(MOST_LISTED) }
    const page = (await findAt(asked, '/blocks', readBlocks, query)) ?? []
    const [oldest] = page
    if (oldest === undefined) break
    if (blocks.length === 0) next = oldest.height
    for (const block of page) {
      if (block.height !== next || block.height > last) throw strangeAnswer('blocks with a gap')
      blocks.push(block)
      next += 1n
    }
  }
  return blocks
}
