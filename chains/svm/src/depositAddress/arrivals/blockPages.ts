import { ServiceError } from '@causeway/core'
import { type JsonRpcClient, type RpcOutcome, resultOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type BoundNode, readingNode } from '../../read/watch/boundNode.js'
import { BlockReader } from '../../rpc/head/blockReader.js'
import { isNoBlock, isPruned } from '../../rpc/rpcErrors.js'
import {
  blockCall,
  blocksCall,
  blockWithAccountsCall,
  type RpcBlock,
  type RpcBlockWithAccounts,
  slotCall,
} from '../../rpc/wire.js'
import type { ReadBlock } from './readBlocks.js'

/** A block with what its transactions changed. */
export interface PagedBlock extends ReadBlock {
  readonly block: RpcBlockWithAccounts
}

/** What was read: the blocks that are remembered, oldest first, and the newest of them. */
export interface BlocksRead {
  readonly blocks: readonly ReadBlock[]
  readonly newest: ReadBlock
}

/** What comes after blocks that were read, as one node shows it. */
export type BlockPage =
  | { readonly kind: 'blocks'; readonly blocks: readonly PagedBlock[]; readonly finalized: bigint }
  /** The newest block that was read left the chain; `kept` is the newest that stands. */
  | { readonly kind: 'fork'; readonly kept: ReadBlock }

export interface BlockPagesDeps {
  readonly rpc: JsonRpcClient
  /** Most blocks in one request. */
  readonly batch: number
}

/**
 * Blocks in their order, each the child of the one before: what a node leaves out, and what left the chain, shows in the hash that the
 * next block names. Near the tip one request reads all; a backlog is listed first and read in parts.
 */
export class BlockPages {
  readonly #deps: BlockPagesDeps
  readonly #headers: BlockReader

  constructor(deps: BlockPagesDeps) {
    this.#deps = deps
    this.#headers = new BlockReader(deps.rpc)
  }

  /** @throws ServiceError when the node does not answer, or shows no chain; another one is asked next time */
  async read({ blocks, newest }: BlocksRead, tip: bigint): Promise<BlockPage> {
    const node = readingNode(this.#deps.rpc)
    const near = tip - newest.slot <= BigInt(this.#deps.batch)
    const slots = near ? slotsBetween(newest.slot, tip) : await this.#list(newest.slot, node)
    const [head, ...outcomes] = await node.ask([slotCall('finalized'), ...slots.map(blockWithAccountsCall)])
    const finalized = BigInt(resultOf<number>(head, 'getSlot'))
    if (outcomes.some((outcome) => !outcome.ok && isPruned(outcome.error))) throw lacking(node)
    const found = slots.flatMap((slot, at) => readOutcome(slot, outcomes[at]))
    const [first] = found
    if (first !== undefined && first.block.previousBlockhash !== newest.hash) {
      // Above what was read the parent was left out, or is not kept; at or below it, the newest block is no longer one of the chain.
      if (BigInt(first.block.parentSlot) > newest.slot) throw lacking(node)
      return { kind: 'fork', kept: await this.#standing(blocks, node) }
    }
    return { kind: 'blocks', blocks: chained(found), finalized }
  }

  /** The block of a slot, or the newest one below it; null where none stands above it. */
  async upTo(slot: bigint): Promise<ReadBlock | null> {
    const node = readingNode(this.#deps.rpc)
    const before = await parentFrom(slot + 1n, node)
    if (before !== null && before.slot > slot) throw lacking(node)
    return before
  }

  async #list(after: bigint, { ask }: BoundNode): Promise<readonly bigint[]> {
    const [outcome] = await ask([blocksCall(after + 1n, this.#deps.batch)])
    if (outcome?.ok === false && isPruned(outcome.error)) return [after + 1n]
    return resultOf<readonly number[]>(outcome, 'getBlocksWithLimit').map(BigInt)
  }

  /** The newest of these blocks that the node still has where it was. */
  async #standing(blocks: readonly ReadBlock[], node: BoundNode): Promise<ReadBlock> {
    const slots = blocks.map(({ slot }) => slot)
    const now = await this.#headers.read(slots, -1n, node.ask)
    const kept = blocks.findLast(({ slot, hash }) => now.get(slot)?.hash === hash)
    if (kept !== undefined) return kept
    node.endpoint.rest()
    throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain shows another history than was read before.')
  }
}

/** A block is never passed over: the node rests, and another one is asked. */
const lacking = ({ endpoint }: BoundNode): ServiceError => {
  endpoint.rest()
  return new ServiceError('RPC_HTTP_ERROR', 'A node of this chain leaves out a block. Another one is asked.')
}

/** What the first block from a slot on names as its parent. */
const parentFrom = async (slot: bigint, { ask }: BoundNode): Promise<ReadBlock | null> => {
  const [list] = await ask([blocksCall(slot, 1)])
  const [first] = resultOf<readonly number[]>(list, 'getBlocksWithLimit')
  if (first === undefined) return null
  const [outcome] = await ask([blockCall(BigInt(first))])
  const block = resultOf<RpcBlock | null>(outcome, 'getBlock')
  if (block === null) throw strangeAnswer('a node without a block that it lists')
  const { parentSlot, previousBlockhash } = block
  return { slot: BigInt(parentSlot), hash: previousBlockhash }
}

const slotsBetween = (after: bigint, to: bigint): bigint[] =>
  Array.from({ length: Number(to > after ? to - after : 0n) }, (_, at) => after + 1n + BigInt(at))

/** Nothing where a slot has no block, or none yet. */
const readOutcome = (slot: bigint, outcome: RpcOutcome | undefined): PagedBlock[] => {
  if (outcome?.ok === false && isNoBlock(outcome.error)) return []
  const block = resultOf<RpcBlockWithAccounts | null>(outcome, 'getBlock')
  return block === null ? [] : [{ slot, hash: block.blockhash, block }]
}

/** As far as each is the child of the one before. */
const chained = (blocks: readonly PagedBlock[]): readonly PagedBlock[] => {
  const end = blocks.findIndex(({ block }, at) => at > 0 && block.previousBlockhash !== blocks[at - 1]?.hash)
  return end === -1 ? blocks : blocks.slice(0, end)
}
