import { RecentMap } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { isNoBlock, isPruned } from '../rpcErrors.js'
import { blockCall, type RpcBlock } from '../wire.js'

export type Ask = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>

/** Blocks remembered; only finalized ones are. */
const MAX_REMEMBERED = 2048

/** A block of an answered getBlock; null where the slot has none, or the node does not have it any more. */
export const readBlock = (slot: bigint, outcome: RpcOutcome | undefined): BlockRef | null => {
  if (outcome?.ok === false && (isNoBlock(outcome.error) || isPruned(outcome.error))) return null
  const block = resultOf<RpcBlock | null>(outcome, 'getBlock')
  if (block === null) return null
  return { height: slot, hash: block.blockhash, time: block.blockTime ?? 0 }
}

/** Blocks by slot, in one request; what is finalized is asked for once. */
export class BlockReader {
  readonly #rpc: JsonRpcClient
  readonly #final = new RecentMap<bigint, BlockRef>(MAX_REMEMBERED)

  constructor(rpc: JsonRpcClient) {
    this.#rpc = rpc
  }

  /** `ask` reads from one node; slots without a block are absent. Up to `finalized`, blocks cannot change any more. */
  async read(
    slots: readonly bigint[],
    finalized: bigint,
    ask: Ask = (calls) => this.#rpc.batch(calls),
  ): Promise<ReadonlyMap<bigint, BlockRef>> {
    const unique = [...new Set(slots)]
    const missing = unique.filter((slot) => !this.#final.has(slot))
    const outcomes = missing.length === 0 ? [] : await ask(missing.map((slot) => blockCall(slot)))
    const found = new Map<bigint, BlockRef>()
    for (const slot of unique) {
      const at = missing.indexOf(slot)
      const block = at === -1 ? this.#final.get(slot) : readBlock(slot, outcomes[at])
      if (block === undefined || block === null) continue
      found.set(slot, block)
      if (slot <= finalized) this.#final.set(slot, block)
    }
    return found
  }
}
