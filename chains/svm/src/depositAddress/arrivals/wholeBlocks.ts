import { smaller } from '@causeway/core'
import type { Arrival, ChainConfig, Live } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { NATIVE } from '../../address/addresses.js'
import type { SvmSettings } from '../../options.js'
import type { HeadSource } from '../../rpc/head/headSource.js'
import { arrivalsOf } from './blockArrivals.js'
import { BlockPages, type PagedBlock } from './blockPages.js'
import { advanced, type ReadBlock } from './readBlocks.js'

export interface WholeBlocksDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly config: Pick<ChainConfig, 'currencies'>
  readonly settings: Pick<SvmSettings, 'blockBatch'>
}

/** What comes after the blocks that were read. */
export type NextBlocks =
  | {
      readonly kind: 'read'
      /** Those to remember. Empty while no block stands above where the reading begins. */
      readonly blocks: readonly ReadBlock[]
      readonly fresh: readonly PagedBlock[]
      /** More wait. */
      readonly isBehind: boolean
    }
  /** The newest left the chain; `kept` is the newest that stands. */
  | { readonly kind: 'fork'; readonly kept: ReadBlock }

/** Reads blocks whole, one after the other, for what comes to live addresses: a block is one request, however many addresses there are. */
export class WholeBlocks {
  readonly #deps: WholeBlocksDeps
  readonly #pages: BlockPages
  readonly #mints: ReadonlySet<string>

  constructor(deps: WholeBlocksDeps) {
    this.#deps = deps
    this.#pages = new BlockPages({ rpc: deps.rpc, batch: deps.settings.blockBatch })
    this.#mints = new Set(deps.config.currencies.map(({ address }) => address).filter((mint) => mint !== NATIVE))
  }

  /** Where none was read whole yet, those above `from` are next. */
  async next(read: readonly ReadBlock[], from: bigint): Promise<NextBlocks> {
    const { heads } = this.#deps
    const tip = (await heads.tip()).height
    const blocks = read.length > 0 ? read : await this.#begin(from)
    const newest = blocks.at(-1)
    if (newest === undefined || tip <= newest.slot) return { kind: 'read', blocks, fresh: [], isBehind: false }
    const page = await this.#pages.read({ blocks, newest }, tip)
    if (page.kind === 'fork') return page
    const next = advanced(blocks, page.blocks, page.finalized)
    const isBehind = page.blocks.length > 0 && (next.at(-1)?.slot ?? tip) < tip
    return { kind: 'read', blocks: next, fresh: page.blocks, isBehind }
  }

  arrivals(blocks: readonly PagedBlock[], addresses: Live): readonly Arrival[] {
    return blocks.flatMap(({ slot, hash, block }) =>
      arrivalsOf(block, { height: slot, hash, time: block.blockTime ?? 0 }, { addresses, mints: this.#mints }),
    )
  }

  /** The block of a slot, or the one before it, above a final one: a fork may take it away before anything was read. */
  async #begin(from: bigint): Promise<readonly ReadBlock[]> {
    const { heads } = this.#deps
    const { slot: finalized } = await heads.finalized()
    const slots = [...new Set([smaller(from, finalized), from])]
    const found = await heads.blockOf(slots)
    const blocks: ReadBlock[] = []
    for (const slot of slots) {
      const hash = found.get(slot)?.hash
      const block = hash === undefined ? await this.#pages.upTo(slot) : { slot, hash }
      if (block === null) return []
      if (block.slot !== blocks.at(-1)?.slot) blocks.push(block)
    }
    return blocks
  }
}
