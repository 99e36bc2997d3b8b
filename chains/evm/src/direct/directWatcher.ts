import { type Json, ServiceError, smaller } from '@causeway/core'
import type { ChainDeps, DirectCapability, DirectPage } from '@causeway/core/chain'
import { type JsonRpcClient, resultOf, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import type { Head, HeadSource } from '../head/headSource.js'
import type { EvmSettings } from '../options.js'
import type { RpcBlock } from '../rpc/wire.js'
import { blocksOf, markOf, wholeBlockCall } from '../watch/blocks/wholeBlocks.js'
import { advance, type Cursor, decodeCursor, encodeCursor } from '../watch/cursor.js'
import { LogRange } from '../watch/logReader.js'
import { blockCall } from '../watch/readDeposits.js'
import { atLeastZero, Lag, NodeDoubt, rewind } from '../watch/rewind.js'
import { directCandidates } from './directCandidates.js'

/** Whole blocks of one page. */
const PAGE_BLOCKS = 20n
/** How rarely a page without candidates is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const

export interface DirectWatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: EvmSettings
  readonly logger: ChainDeps['logger']
  /** Whether a quote is live whose transaction only whole blocks show. */
  awaits(): Promise<boolean>
}

type Step = WatchStep<Cursor, DirectPage>

/**
 * Finds sends, wraps and unwraps that name a request, which emit no event of this service, and swaps, which emit none where they revert.
 * Whole blocks are read only while such a quote is live, so the cost does not depend on the number of quotes. One instance is one run;
 * `pages` is its life.
 */
export class DirectWatcher {
  readonly #deps: DirectWatcherDeps
  readonly #range = new LogRange(PAGE_BLOCKS)
  readonly #lag = new Lag()
  readonly #doubt: NodeDoubt

  constructor(deps: DirectWatcherDeps) {
    this.#deps = deps
    this.#doubt = new NodeDoubt(deps.rpc)
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<DirectPage> {
    const { heads, settings, logger } = this.#deps
    return watchLoop<Cursor, DirectPage>(signal, {
      begin: async () => (stored === null ? cursorAt(await heads.tip()) : decodeCursor(stored)),
      step: (cursor) => this.#step(cursor),
      wake: heads.wakeSignal,
      pollIntervalMs: settings.pollIntervalMs,
      quiet: QUIET,
      logger,
    })
  }

  async #step(cursor: Cursor): Promise<Step> {
    const tip = await this.#deps.heads.tip()
    if (tip.height === cursor.number && tip.hash === cursor.hash) return stepOf(cursor, tip, [], 'full')
    // The tip is older than this answer: the transaction of a later quote is in a later block.
    if (!(await this.#deps.awaits())) return stepOf(cursorAt(tip), tip, [], 'full')
    return tip.height > cursor.number ? this.#readOn(cursor, tip) : this.#compare(cursor, tip, 'full')
  }

  async #readOn(cursor: Cursor, tip: Head): Promise<Step> {
    const count = smaller(this.#range.size, tip.height - cursor.number)
    const calls = Array.from({ length: Number(count) }, (_, at) => wholeBlockCall(cursor.number + 1n + BigInt(at)))
    const outcomes = await this.#deps.rpc.batch(calls).catch((error: unknown) => {
      if (ServiceError.is(error)) this.#range.shrink(count)
      throw error
    })
    const blocks = blocksOf(outcomes)
    if (blocks === null) return this.#soon(cursor)
    if (blocks[0]?.parentHash.toLowerCase() !== cursor.hash) return this.#compare(cursor, tip, 'short')
    this.#lag.end()
    this.#doubt.end()
    this.#range.grow()
    const marks = blocks.map(markOf)
    const next = advance(cursor, marks.at(-1) ?? cursor, marks)
    return stepOf(next, tip, blocks.flatMap(directCandidates), 'none')
  }

  /** The node is a moment behind the head, or contradicts itself. */
  #soon(cursor: Cursor): Step {
    this.#doubt.note()
    return { cursor, page: null, rest: 'short' }
  }

  /** Reads replaced blocks again: they may hold another transaction of the same user. */
  async #compare(cursor: Cursor, tip: Head, rest: Step['rest']): Promise<Step> {
    const { rpc, logger } = this.#deps
    const [outcome] = await rpc.batch([blockCall(cursor.number)])
    const known = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
    if (known?.hash.toLowerCase() === cursor.hash) return { cursor, page: null, rest }
    if (known === null && this.#lag.isLikely()) return this.#soon(cursor)
    const { cursor: back } = await rewind(cursor, tip, rpc)
    logger.warn({ from: `${cursor.number}`, to: `${back.number}` }, 'Blocks left the chain')
    this.#lag.end()
    return stepOf(back, tip, [], 'none')
  }
}

/** The kinds that `directCandidates` finds. */
export const WATCHED_KINDS: Parameters<Parameters<NonNullable<DirectCapability['watch']>>[1]>[0] = [
  'send',
  'wrap',
  'unwrap',
  'swap',
]

const cursorAt = ({ height: number, hash }: Head): Cursor => ({
  number,
  hash,
  ring: [{ number, hash }],
  checked: number,
})

const stepOf = (
  cursor: Cursor,
  { height: tip }: Head,
  candidates: DirectPage['candidates'],
  rest: Step['rest'],
): Step => {
  const height = atLeastZero(cursor.number)
  return { cursor, page: { candidates, cursor: encodeCursor(cursor), height, tip, rewoundTo: null }, rest }
}
