import { type Json, ServiceError, smaller } from '@causeway/core'
import type { Arrival, ArrivalPage, ChainDeps, LiveAddresses } from '@causeway/core/chain'
import {
  askInOrder,
  type JsonRpcClient,
  type RpcOutcome,
  resultOf,
  type WatchStep,
  watchLoop,
} from '@causeway/core/chain-kit'
import { type Head, type HeadSource, headOf } from '../head/headSource.js'
import type { EvmSettings } from '../options.js'
import type { RpcBlock, RpcLog } from '../rpc/wire.js'
import { blocksOf, markOf } from '../watch/blocks/wholeBlocks.js'
import { advance, type Cursor, decodeCursor, encodeCursor } from '../watch/cursor.js'
import { LogRange } from '../watch/logReader.js'
import { askUntilShown, blockCall } from '../watch/readDeposits.js'
import { atLeastZero, Lag, NodeDoubt, rewind } from '../watch/rewind.js'
import { arrivalCalls, logsInParts, logsOf, nativeArrivals, tokenArrivals } from './readArrivals.js'

/** Whole blocks of one page. */
const PAGE_BLOCKS = 20n
/** Blocks whose transfers are read again with the next page: a node may show logs late (faults.md F107). */
const OVERLAP = 2
/** How rarely a page without arrivals is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const

export interface ArrivalWatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: EvmSettings
  /** Lower-case addresses of the configured tokens. */
  readonly tokens: readonly string[]
  readonly live: LiveAddresses
  readonly logger: ChainDeps['logger']
}

type Step = WatchStep<Cursor, ArrivalPage>

/**
 * Reads what comes to live addresses from a cursor on: native payments from whole blocks, tokens from their Transfer logs, both compared
 * with the set in memory. One instance is one run; `pages` is its life.
 */
export class ArrivalWatcher {
  readonly #deps: ArrivalWatcherDeps
  readonly #range = new LogRange(PAGE_BLOCKS)
  readonly #lag = new Lag()
  readonly #doubt: NodeDoubt
  /** Blocks that the last step asked for; null before it has. */
  #asked: bigint | null = null
  /** The last blocks that this run read, and the transfers that it told of them. */
  #recent: readonly RpcBlock[] = []
  #delivered: ReadonlySet<string> = new Set()
  /** The transfers of the next block are read in parts: all at once nobody answered for them. */
  #inParts = false

  constructor(deps: ArrivalWatcherDeps) {
    this.#deps = deps
    this.#doubt = new NodeDoubt(deps.rpc)
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<ArrivalPage> {
    const { heads, settings, logger } = this.#deps
    const begin = async () => (stored === null ? this.#atTip() : decodeCursor(stored))
    return watchLoop<Cursor, ArrivalPage>(signal, {
      begin,
      step: (cursor) => this.#step(cursor),
      wake: heads.wakeSignal,
      pollIntervalMs: settings.pollIntervalMs,
      quiet: QUIET,
      logger,
    })
  }

  async #atTip(): Promise<Cursor> {
    const { height: number, hash } = await this.#deps.heads.tip()
    return { number, hash, ring: [{ number, hash }], checked: number }
  }

  async #step(cursor: Cursor): Promise<Step> {
    this.#asked = null
    const tip = await this.#deps.heads.tip()
    await this.#deps.live.refresh()
    if (tip.height === cursor.number && tip.hash === cursor.hash)
      return { cursor, page: pageOf(cursor, tip, [], null), rest: 'full' }
    try {
      return tip.height > cursor.number ? await this.#readOn(cursor, tip) : await this.#compare(cursor, tip, 'full')
    } catch (error) {
      if (ServiceError.is(error)) this.#askForLess()
      throw error
    }
  }

  async #readOn(cursor: Cursor, tip: Head): Promise<Step> {
    const from = cursor.number + 1n
    const reach = cursor.number + this.#range.size
    const to = smaller(reach, tip.height)
    this.#asked = to - from + 1n
    const { tokens, rpc } = this.#deps
    const asked = this.#inParts ? [] : tokens
    const again = this.#recent.at(-1)?.hash.toLowerCase() === cursor.hash ? this.#recent : []
    const outcomes = await rpc.batch(arrivalCalls(asked, from, to, again.length))
    const blocks = blocksOf(outcomes.slice(0, Number(this.#asked)))
    if (blocks === null) return this.#soon(cursor)
    // The set of blocks is one chain, and stands on what was read before.
    if (cursor.number >= 0n && blocks[0]?.parentHash.toLowerCase() !== cursor.hash)
      return this.#compare(cursor, tip, 'short')
    this.#lag.end()
    const logs = tokens.length === 0 ? [] : await this.#logs(asked.length === 0 ? null : outcomes.at(-1), blocks)
    if (logs === null) return { cursor, page: null, rest: 'none' }
    const arrivals = await this.#arrivals(blocks, again, logs)
    if (arrivals === null) return this.#soon(cursor)
    this.#doubt.end()
    // Read in parts, the blocks before were not read again: nothing is known of them in the next page.
    const inOne = !this.#inParts
    this.#inParts = false
    this.#range.grow()
    this.#recent = inOne ? [...again, ...blocks].slice(-OVERLAP) : blocks.slice(-OVERLAP)
    const marks = blocks.map(markOf)
    const last = marks.at(-1) ?? cursor
    const next = { ...advance(cursor, last, marks), checked: last.number }
    return { cursor: next, page: pageOf(next, tip, arrivals, null), rest: 'none' }
  }

  /** After a failure: half the blocks, and of a single one its transfers part by part. */
  #askForLess(): void {
    if (this.#asked === null || this.#range.shrink(this.#asked)) return
    this.#inParts = true
  }

  /** Of an answer, or where none was asked for in parts; null when fewer blocks are to be asked for. */
  async #logs(outcome: RpcOutcome | null | undefined, blocks: readonly RpcBlock[]): Promise<readonly RpcLog[] | null> {
    const logs = outcome === null ? null : logsOf(outcome)
    if (logs !== null) return logs
    const [only] = blocks
    if (this.#range.shrink(BigInt(blocks.length)) || only === undefined) return null
    this.#deps.logger.warn(
      { block: only.number },
      'The transfers of a block are refused in one answer; they are read in parts',
    )
    this.#inParts = true
    const { rpc, tokens } = this.#deps
    return askInOrder(rpc, (node) => logsInParts(only, tokens, (calls) => node.batch(calls)))
  }

  async #arrivals(
    blocks: readonly RpcBlock[],
    again: readonly RpcBlock[],
    logs: readonly RpcLog[],
  ): Promise<readonly Arrival[] | null> {
    const { live, rpc } = this.#deps
    const heads = new Map([...again, ...blocks].map((block) => [BigInt(block.number), headOf(block)]))
    const shown = tokenArrivals(logs, heads, live)
    const ofTokens = shown?.filter((arrival) => !this.#delivered.has(keyOf(arrival))) ?? null
    const ofNative = ofTokens === null ? null : await askUntilShown(rpc, (ask) => nativeArrivals(blocks, live, ask))
    if (shown === null || ofTokens === null || ofNative === null) return null
    this.#delivered = new Set(shown.map(keyOf))
    return [...ofNative, ...ofTokens].sort((left, right) => Number(heightOf(left) - heightOf(right)))
  }

  /** The node is a moment behind the head, or contradicts itself during a reorg. */
  #soon(cursor: Cursor): Step {
    this.#doubt.note()
    return { cursor, page: null, rest: 'short' }
  }

  /** Whether the block that was read last has left the chain. */
  async #compare(cursor: Cursor, tip: Head, rest: Step['rest']): Promise<Step> {
    const { rpc, logger } = this.#deps
    const [outcome] = await rpc.batch([blockCall(cursor.number)])
    const known = resultOf<RpcBlock | null>(outcome, 'eth_getBlockByNumber')
    if (known?.hash.toLowerCase() === cursor.hash) return { cursor, page: null, rest }
    if (known === null && this.#lag.isLikely()) return this.#soon(cursor)
    const { cursor: back } = await rewind(cursor, tip, rpc)
    logger.warn({ from: `${cursor.number}`, to: `${back.number}` }, 'Blocks left the chain')
    this.#lag.end()
    // Blocks that come back are told again.
    this.#recent = []
    this.#delivered = new Set()
    return { cursor: back, page: pageOf(back, tip, [], atLeastZero(back.number)), rest: 'none' }
  }
}

const pageOf = (
  cursor: Cursor,
  { height: tip }: Head,
  arrivals: readonly Arrival[],
  rewoundTo: bigint | null,
): ArrivalPage => ({ arrivals, cursor: encodeCursor(cursor), height: atLeastZero(cursor.number), tip, rewoundTo })

const keyOf = ({ tx, to, money, position, block }: Arrival): string =>
  `${tx.id} ${to.address} ${money.currency} ${position} ${block?.hash}`

const heightOf = ({ block }: Arrival): bigint => block?.height ?? 0n
