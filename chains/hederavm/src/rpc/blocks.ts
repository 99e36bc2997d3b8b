import { ServiceError } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import { answerOf, listPages, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { nanosOf, SECOND, timeText } from '../address/times.js'
import { COUNT, HASH, TIME } from './fields.js'
import { type Asked, findAt, MOST_LISTED } from './mirrorNode.js'

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
const checkBlocks = answerOf(Type.Object({ blocks: Type.Array(blockSchema) }))

const askList = async (
  asked: Asked,
  query: Readonly<Record<string, string | readonly string[]>>,
): Promise<readonly Block[]> =>
  (await findAt(asked, '/blocks', (answer) => checkBlocks(answer).blocks.map(blockOf), query)) ?? []

/** A block without its times. */
export const refOf = ({ height, hash, time }: Block): BlockRef => ({ height, hash, time })

const requireBlock = (block: Block | null | undefined): Block => {
  if (block !== null && block !== undefined) return block
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    'A mirror node of this chain does not have the blocks that are asked for.',
  )
}

/** The newest block: mirror nodes take up a block with all its transactions at once. */
export const askNewest = async (asked: Asked): Promise<Block> =>
  requireBlock((await askList(asked, { limit: '1', order: 'desc' }))[0])

/** The oldest block: the node has all transactions since. */
export const askOldest = async (asked: Asked): Promise<Block> =>
  requireBlock((await askList(asked, { limit: '1', order: 'asc' }))[0])

/** A block by its number; null where the node has none. */
export const askBlock = (asked: Asked, height: bigint): Promise<Block | null> =>
  findAt(asked, `/blocks/${height}`, (answer) => blockOf(checkBlock(answer)))

/**
 * The newest block that a mirror node surely shows whole: `lagBlocks` below its newest, since a mirror node behind a load balancer may
 * answer the next question from a copy that is behind.
 */
export const askHeadBlock = async (asked: Asked, lagBlocks: bigint): Promise<Block> => {
  const newest = await askNewest(asked)
  if (lagBlocks === 0n || newest.height < lagBlocks) return newest
  return requireBlock(await askBlock(asked, newest.height - lagBlocks))
}

/** Finds the block of a consensus time; null where the node has none that is so new, or pruned the block. */
export type BlockFinder = (time: bigint) => BlockRef | null

const finderIn =
  (blocks: readonly Block[]): BlockFinder =>
  (time) => {
    const block = blocks.find(({ from, to }) => from <= time && time <= to)
    return block === undefined ? null : refOf(block)
  }

/** Usual time of as many blocks as mirror nodes list. */
const LISTED_SPAN = 2n * BigInt(MOST_LISTED) * SECOND

/** Reads the blocks of consensus times: one question for all times that are near each other. @throws ServiceError */
export const askBlocksAt = async (asked: Asked, times: readonly bigint[]): Promise<BlockFinder> => {
  const groups: { readonly from: bigint; readonly times: bigint[] }[] = []
  for (const time of [...times].sort((left, right) => (left < right ? -1 : 1))) {
    const group = groups.at(-1)
    if (group !== undefined && time - group.from <= LISTED_SPAN) group.times.push(time)
    else groups.push({ from: time, times: [time] })
  }
  return finderIn((await Promise.all(groups.map((group) => askGroup(asked, group.times)))).flat())
}

/** Blocks may follow each other faster than usual: a time after those of the list is asked for by itself. */
const askGroup = async (asked: Asked, times: readonly bigint[]): Promise<readonly Block[]> => {
  const limit = String(times.length === 1 ? 1 : MOST_LISTED)
  const blocks: Block[] = []
  for (const time of times)
    if (time > (blocks.at(-1)?.to ?? -1n))
      blocks.push(...(await askList(asked, { timestamp: `gte:${timeText(time)}`, order: 'asc', limit })))
  return blocks
}

/** The first and last block of a range of heights, and the blocks of consensus times in it. */
export interface BlockRange {
  readonly first: Block
  readonly last: Block
  /** The finder throws ServiceError RPC_HTTP_ERROR for a time of no block. */
  blocksAt(times: readonly bigint[]): Promise<BlockFinder>
}

/**
 * Blocks between two heights, both in; of a long range only the ends are asked for. `first` is later where older blocks are pruned.
 * @throws ServiceError also where the node lacks the last one
 */
export const askRange = async (asked: Asked, from: bigint, upTo: bigint): Promise<BlockRange> => {
  if (upTo - from < BigInt(MOST_LISTED)) {
    const blocks = await askBlocks(asked, from, upTo)
    const [first, last] = [requireBlock(blocks[0]), requireBlock(blocks.find(({ height }) => height === upTo))]
    return { first, last, blocksAt: async () => requiring(finderIn(blocks)) }
  }
  const [start, end] = await Promise.all([askBlock(asked, from), askBlock(asked, upTo)])
  const [first, last] = [start ?? (await askOldest(asked)), requireBlock(end)]
  return { first, last, blocksAt: async (times) => requiring(await askBlocksAt(asked, times)) }
}

const requiring =
  (find: BlockFinder): BlockFinder =>
  (time) => {
    const block = find(time)
    if (block === null) throw strangeAnswer('a transaction outside the blocks that were asked for')
    return block
  }

/** Blocks between two heights, both in, oldest first and without gaps; those before the first one are pruned. */
const askBlocks = async (asked: Asked, first: bigint, last: bigint): Promise<readonly Block[]> => {
  const blocks: Block[] = []
  const pages = listPages<Block>(MOST_LISTED, async (newest) => {
    const next = newest === undefined ? first : newest.height + 1n
    const range = { 'block.number': [`gte:${next}`, `lte:${last}`], order: 'asc', limit: String(MOST_LISTED) }
    return next > last ? [] : askList(asked, range)
  })
  for await (const page of pages)
    for (const block of page) {
      const next = (blocks.at(-1)?.height ?? block.height - 1n) + 1n
      if (block.height !== next || block.height > last) throw strangeAnswer('blocks with a gap')
      blocks.push(block)
    }
  return blocks
}
