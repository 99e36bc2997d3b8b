import { type Json, larger, ServiceError } from '@causeway/core'
import type { ArrivalPage, BlockRef, ChainConfig, ChainDeps, LiveAddresses } from '@causeway/core/chain'
import { type JsonRpcClient, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import { NATIVE } from '../../address/addresses.js'
import type { HeadSource } from '../../head/headSource.js'
import type { SvmSettings } from '../../options.js'
import {
  type AddressCursor,
  advanced,
  decodeAddressCursor,
  encodeAddressCursor,
  newestOf,
  type ReadBlock,
} from './addressCursor.js'
import { arrivalsOf } from './blockArrivals.js'
import { BlockPages, type PagedBlock } from './blockPages.js'

/** How rarely a page without arrivals is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const

export interface AddressWatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly config: Pick<ChainConfig, 'currencies'>
  readonly settings: Pick<SvmSettings, 'pollIntervalMs' | 'blockBatch'>
  readonly logger: ChainDeps['logger']
}

/**
 * Reads what comes to live addresses, block by block: a block is one request, however many addresses there are. One instance is one
 * run; `pages` is its life.
 */
export class AddressWatcher {
  readonly #deps: AddressWatcherDeps
  readonly #live: LiveAddresses
  readonly #blocks: BlockPages
  readonly #mints: ReadonlySet<string>

  constructor(live: LiveAddresses, deps: AddressWatcherDeps) {
    this.#deps = deps
    this.#live = live
    this.#blocks = new BlockPages({ rpc: deps.rpc, batch: deps.settings.blockBatch })
    const tokens = deps.config.currencies.filter(({ address }) => address !== NATIVE)
    this.#mints = new Set(tokens.map(({ address }) => address))
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<ArrivalPage> {
    const { heads, settings, logger } = this.#deps
    const { pollIntervalMs } = settings
    return watchLoop<AddressCursor, ArrivalPage>(signal, {
      begin: async () => (stored === null ? this.#tip() : decodeAddressCursor(stored)),
      step: (cursor) => this.#step(cursor),
      wake: heads.wakeSignal,
      pollIntervalMs,
      quiet: QUIET,
      logger,
    })
  }

  /** The head, above the newest final block: a fork may take the head away before anything was read. */
  async #tip(): Promise<AddressCursor> {
    const { heads } = this.#deps
    const { height } = await heads.refresh()
    const { slot } = await heads.finalized()
    const found = await heads.blockOf([slot, height])
    if (!found.has(height)) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain has no block at its head.')
    const blocks = [...new Set([slot, height])].flatMap((at) => found.get(at) ?? [])
    return { blocks: blocks.map(({ height: at, hash }) => ({ slot: at, hash })) }
  }

  async #step(cursor: AddressCursor): Promise<WatchStep<AddressCursor, ArrivalPage>> {
    const tip = (await this.#deps.heads.tip()).height
    if (tip <= newestOf(cursor).slot) return { cursor, page: pageOf(cursor, [], tip, null), rest: 'full' }
    await this.#live.refresh()
    const page = await this.#blocks.read(cursor, tip)
    if (page.kind === 'fork') {
      const { kept } = page
      this.#deps.logger.warn({ from: `${newestOf(cursor).slot}`, to: `${kept.slot}` }, 'Blocks left the chain')
      const rest = { blocks: cursor.blocks.filter(({ slot }) => slot <= kept.slot) }
      return { cursor: rest, page: pageOf(rest, [], tip, kept.slot), rest: 'none' }
    }
    if (page.kind === 'pruned') return this.#pass(cursor, page.before, tip)
    const next = advanced(cursor, page.blocks, page.finalized)
    const arrivals = page.blocks.flatMap((block) => this.#arrivals(block))
    const isBehind = newestOf(next).slot < tip && page.blocks.length > 0
    return { cursor: next, page: pageOf(next, arrivals, tip, null), rest: isBehind ? 'none' : 'full' }
  }

  #arrivals({ slot, hash, block }: PagedBlock): ReturnType<typeof arrivalsOf> {
    const ref: BlockRef = { height: slot, hash, time: block.blockTime ?? 0 }
    return arrivalsOf(block, ref, { addresses: this.#live, mints: this.#mints })
  }

  /** Money that came in blocks which nobody keeps is found by `holdings` alone. */
  #pass(cursor: AddressCursor, before: ReadBlock, tip: bigint): WatchStep<AddressCursor, ArrivalPage> {
    this.#deps.logger.error(
      { from: `${newestOf(cursor).slot + 1n}`, to: `${before.slot}` },
      'No node keeps these blocks any more: what came to deposit addresses in them is found when the addresses are looked at',
    )
    const next = { blocks: [before] }
    return { cursor: next, page: pageOf(next, [], tip, null), rest: 'none' }
  }
}

const pageOf = (
  cursor: AddressCursor,
  arrivals: ArrivalPage['arrivals'],
  tip: bigint,
  rewoundTo: bigint | null,
): ArrivalPage => {
  const height = newestOf(cursor).slot
  return { arrivals, cursor: encodeAddressCursor(cursor), height, tip: larger(tip, height), rewoundTo }
}
