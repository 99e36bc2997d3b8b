import { larger } from '@causeway/core'
import type { LaneValidity } from '@causeway/core/chain'
import {
  type AskedProviders,
  askProviders,
  type JsonRpcEndpoint,
  JUMP_BLOCKS,
  leastAnswers,
  resultOf,
} from '@causeway/core/chain-kit'
import type { RpcEpochInfo } from '../rpc/wire.js'

/** Block heights for which a blockhash is valid: a transaction is in one of so many blocks, or in none. */
export const VALID_BLOCKS = 150n

/**
 * A signed transaction can be in any block until its blockhash is out of date, and until then no node shows that it is on its way
 * (chains.md svm 4). Counted in block heights: a slot may have no block.
 */
export class BlockhashValidity implements LaneValidity {
  readonly #rpc: AskedProviders<JsonRpcEndpoint>
  readonly #known: () => Promise<bigint>

  /** `known`: height of the newest confirmed block, as the head is followed. */
  constructor(rpc: AskedProviders<JsonRpcEndpoint>, known: () => Promise<bigint>) {
    this.#rpc = rpc
    this.#known = known
  }

  /** As the furthest provider says, but none that invents a height: the lane would wait for it for ever. */
  async until(): Promise<bigint> {
    const [heights, known] = await Promise.all([this.#heights('processed'), this.#known()])
    const likely = heights.filter((height) => height <= known + JUMP_BLOCKS)
    return likely.reduce(larger, known) + VALID_BLOCKS
  }

  async isOver(until: bigint): Promise<boolean> {
    const beyond = (await this.#heights('finalized')).filter((height) => height > until)
    return beyond.length >= leastAnswers(this.#rpc)
  }

  #heights(commitment: 'processed' | 'finalized'): Promise<readonly bigint[]> {
    return askProviders(this.#rpc, async (endpoint) => {
      const [epoch] = await endpoint.batch([{ method: 'getEpochInfo', params: [{ commitment }] }])
      return BigInt(resultOf<RpcEpochInfo>(epoch, 'getEpochInfo').blockHeight)
    })
  }
}
