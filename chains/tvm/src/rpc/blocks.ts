import { ServiceError } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import { answerOf, isTooLarge, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { COUNT, HASH } from './fields.js'
import { type TransactionJson, transactionSchema } from './transactionInfos.js'
import { type Api, type Asked, call, orNone } from './tronNode.js'

const headerSchema = Type.Object({
  blockID: HASH,
  block_header: Type.Object({
    raw_data: Type.Object({ number: Type.Optional(COUNT), parentHash: HASH, timestamp: Type.Optional(COUNT) }),
  }),
})
const blockSchema = Type.Composite([
  headerSchema,
  Type.Object({ transactions: Type.Optional(Type.Array(transactionSchema)) }),
])
const readHeader = orNone(answerOf(headerSchema))
const readBlocks = answerOf(Type.Object({ block: Type.Optional(Type.Array(blockSchema)) }))

/** A block without its transactions. */
export interface Header extends BlockRef {
  readonly parentHash: string
  /** Unix milliseconds. */
  readonly ms: bigint
}

export interface Block extends Header {
  readonly transactions: readonly TransactionJson[]
}

const HEIGHT_DIGITS = 16

/** @throws ServiceError RPC_HTTP_ERROR where the id of the block does not begin with its height */
const headerOf = ({ blockID: hash, block_header }: Static<typeof headerSchema>): Header => {
  const { number = '0', parentHash, timestamp = '0' } = block_header.raw_data
  const [height, ms] = [BigInt(number), BigInt(timestamp)]
  if (BigInt(`0x${hash.slice(0, HEIGHT_DIGITS)}`) !== height) throw strangeAnswer('a block id of another height')
  return { height, hash, parentHash, ms, time: Number(ms / 1000n) }
}

export const refOf = ({ height, hash, time }: BlockRef): BlockRef => ({ height, hash, time })

/** The newest block, or the newest solidified one. @throws ServiceError */
export const askHead = async (asked: Asked, api: Api = 'wallet'): Promise<Header> => {
  const json = await call(asked, `${api}/getblock`, { detail: false }, readHeader)
  if (json === null) throw strangeAnswer('no newest block')
  return headerOf(json)
}

/** A block by height or id; null where the node does not have one. */
export const askBlock = async (asked: Asked, block: bigint | string): Promise<Header | null> => {
  const json = await call(asked, 'wallet/getblock', { id_or_num: String(block), detail: false }, readHeader)
  if (json === null) return null
  const header = headerOf(json)
  const isAsked = typeof block === 'string' ? header.hash === block : header.height === block
  if (!isAsked) throw strangeAnswer('another block')
  return header
}

/** Oldest block of a node, by halves: a node that keeps all blocks is asked once. */
export const askOldest = async (asked: Asked): Promise<Header> => {
  const first = await askBlock(asked, 1n)
  if (first !== null) return first
  let oldest = await askHead(asked)
  let missing = 1n
  while (oldest.height - missing > 1n) {
    const middle = (oldest.height + missing) / 2n
    const found = await askBlock(asked, middle)
    if (found === null) missing = middle
    else oldest = found
  }
  return oldest
}

/** Blocks that nodes list at once. */
const MOST_LISTED = 100n

/** Blocks of a range, in order, each the parent of the next. The node may lack the oldest ones. */
export async function* blocksIn(asked: Asked, first: bigint, last: bigint): AsyncGenerator<Block> {
  let parent: Block | null = null
  for (let next = first; next <= last; ) {
    const part: readonly Block[] = await askSome(asked, next, last)
    if (part.length === 0)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain does not have a block that it has announced.')
    for (const block of part) {
      const isNext: boolean =
        parent === null || (parent.hash === block.parentHash && block.height === parent.height + 1n)
      if (!isNext || block.height < next || block.height > last)
        throw strangeAnswer('blocks that do not follow each other')
      parent = block
      yield block
    }
    next = (parent?.height ?? last) + 1n
  }
}

/** As many blocks from a height on as the node gives; fewer at once where they are too large for one answer. */
const askSome = async (asked: Asked, first: bigint, last: bigint, most = MOST_LISTED): Promise<readonly Block[]> => {
  const end = first + most <= last ? first + most : last + 1n
  const range = { startNum: Number(first), endNum: Number(end) }
  try {
    const { block = [] } = await call(asked, 'wallet/getblockbylimitnext', range, readBlocks)
    return block.map((json) => ({ ...headerOf(json), transactions: json.transactions ?? [] }))
  } catch (error) {
    if (!isTooLarge(error) || most === 1n) throw error
    return askSome(asked, first, last, most / 4n || 1n)
  }
}
