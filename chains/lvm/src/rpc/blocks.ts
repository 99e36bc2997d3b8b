import type { BlockRef } from '@causeway/core/chain'
import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { COUNT } from './fields.js'
import { type Asked, askAt, findAt } from './lighterNode.js'

const blockSchema = Type.Object({
  height: COUNT,
  state_root: Type.String({ maxLength: 200 }),
  commitment: Type.String({ maxLength: 200 }),
  committed_at: COUNT,
  txs: Type.Array(Type.Object({ queued_at: Type.Optional(COUNT), executed_at: Type.Optional(COUNT) })),
})
const readBlocks = answerOf(Type.Object({ blocks: Type.Array(blockSchema) }))
const readHeight = answerOf(Type.Object({ height: COUNT }))

/** Times of the exchange are milliseconds; a smaller number is in seconds. */
const FIRST_MILLISECONDS = 100_000_000_000

const secondsOf = (time: string): number => {
  const number = Number(time)
  return number >= FIRST_MILLISECONDS ? Math.floor(number / 1000) : number
}

/** Time of a block: of its commitment, or of the newest of its transactions while it is not committed. */
const timeOf = ({ committed_at, txs }: Static<typeof blockSchema>): number => {
  if (committed_at !== '0') return secondsOf(committed_at)
  const times = txs.map(({ executed_at = '0', queued_at = '0' }) =>
    secondsOf(executed_at === '0' ? queued_at : executed_at),
  )
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

/** A block by its height; null where the node has none. @throws ServiceError */
export const askBlock = async (asked: Asked, height: bigint): Promise<BlockRef | null> => {
  const found = await findAt(asked, '/api/v1/block', readBlocks, { by: 'height', value: height.toString() })
  const [block] = found?.blocks ?? []
  if (block === undefined) return null
  const hash = block.state_root === '' ? block.commitment : block.state_root
  if (BigInt(block.height) !== height || hash === '') throw strangeAnswer('another block than the one asked for')
  return { height, hash, time: timeOf(block) }
}

/** Height of the newest block. */
export const askHeight = async (asked: Asked): Promise<bigint> =>
  BigInt((await askAt(asked, '/api/v1/currentHeight', readHeight)).height)

/** The newest block. */
export const askHead = async (asked: Asked): Promise<BlockRef> => {
  const block = await askBlock(asked, await askHeight(asked))
  if (block === null) throw strangeAnswer('no block at the height that was named')
  return block
}
