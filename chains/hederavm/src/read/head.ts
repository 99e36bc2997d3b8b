import { ServiceError } from '@causeway/core'
import type { LaneMoment } from '@causeway/core/chain-kit'
import { askBlock, askNewest, type Block } from '../rpc/blocks.js'
import type { Asked } from '../rpc/mirrorNode.js'

/**
 * The newest block that a mirror node surely shows whole: `lagBlocks` below its newest, since a mirror node behind a load balancer may
 * answer the next question from a copy that is behind.
 */
export const askHeadBlock = async (asked: Asked, lagBlocks: bigint): Promise<Block> => {
  const newest = await askNewest(asked)
  if (lagBlocks === 0n || newest.height < lagBlocks) return newest
  const block = await askBlock(asked, newest.height - lagBlocks)
  if (block !== null) return block
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A mirror node of this chain does not show its newest blocks.')
}

/** Where a mirror node stands: a block is final, and its consensus time is the time of payments (chains.md hederavm 4). */
export const askMoment = async (asked: Asked, lagBlocks: bigint): Promise<LaneMoment> => {
  const { height, time } = await askHeadBlock(asked, lagBlocks)
  return { height, time: { newest: BigInt(time), final: BigInt(time) } }
}
