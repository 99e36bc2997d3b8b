import { type Json, ServiceError, smaller } from '@causeway/core'
import type { ChainDeps, Live, WatchPage } from '@causeway/core/chain'
import {
  type EndpointMonitor,
  Grace,
  type JsonRpcClient,
  type RpcOutcome,
  resultOf,
  type WatchStep,
  watchLoop,
} from '@causeway/core/chain-kit'
import { type Ask, askUntilShown, blockCall, type Findings, NOTHING, readDeposits } from '../../deposit/readDeposits.js'
import type { EvmSettings } from '../../options.js'
import type { Head, HeadSource } from '../../rpc/headSource.js'
import { headOf } from '../../rpc/headSource.js'
import type { RpcBlock } from '../../rpc/wire.js'
import { readBlockSomewhere } from './blocks/blockParts.js'
import { RECEIPT_BLOCKS, type ReceiptHits, ReceiptRanges } from './blocks/receiptRanges.js'
import { blocksOf, markOf } from './blocks/wholeBlocks.js'
import { NOTHING_WHOLE, WholeReader } from './blocks/wholeReader.js'
import { CrossCheck } from './crossCheck.js'
import { advance, type Cursor, decodeCursor, encodeCursor, type Mark } from './cursor.js'
import { LogAccess } from './logAccess.js'
import { type Hit, LogRange, logCalls, readHits, type Watched } from './logReader.js'
import { PartsMode } from './partsMode.js'
import { atLeastZero, blockAt, NodeDoubt, rewind } from './rewind.js'

/** Blocks read again with every page: a node may show logs late. */
const OVERLAP = 2n
/** How rarely a page without deposits is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const
/** Whole blocks of one page. */
const PAGE_BLOCKS = 20n
/** Transactions of one page, unless a single block holds more. */
const PAGE_HITS = 500
/**
 * Blocks behind the tip above which receipts of whole blocks are left to the second reading: deposits of configured tokens are found in
 * time whatever is caught up with.
 */
const NEAR = 200n

/** Transactions to read, through the node that showed them; `ask` null: through any node. */
interface ReadHits extends Pick<ReceiptHits, 'hits'> {
  readonly ask: Ask | null
  readonly lastHash?: string
}

/** How the next blocks are read: by filters, by their receipts, or a single one in parts. */
type ReadingWay = 'logs' | 'receipts' | 'parts'

export interface WatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly watched: Watched
  readonly live: Live
  readonly settings: EvmSettings
  readonly monitor: EndpointMonitor
  readonly logger: ChainDeps['logger']
}

/** Blocks asked for: where deposits are looked for, how, and which of the blocks that were not read yet are read whole. */
interface Reading {
  readonly way: ReadingWay
  readonly from: bigint
  readonly to: bigint
  /** The first whole block; null: none is read. */
  readonly whole: bigint | null
}

/**
 * Reads from a cursor on: deposits and direct swaps by their events, and while an address or a quote is live that only whole blocks serve,
 * those with them. One instance is one run; `pages` is its life.
 */
export class Watcher {
  readonly #deps: WatcherDeps
  readonly #logRange: LogRange
  readonly #wholeRange = new LogRange(PAGE_BLOCKS)
  readonly #whole: WholeReader
  readonly #crossCheck: CrossCheck
  /** Transactions delivered in this run, by block: the overlap would deliver them with each page. */
  readonly #delivered = new Map<string, bigint>()
  #cursor: Cursor = { number: -1n, hash: '', ring: [], checked: -1n }
  /** Where this run began. */
  #begunAt = -1n
  #rescanAt: number
  readonly #lag = new Grace()
  readonly #doubt: NodeDoubt
  #soon = false
  /** Blocks that the last step asked for; null before it has. */
  #asked: bigint | null = null
  readonly #access: LogAccess
  readonly #receipts: ReceiptRanges
  readonly #parts = new PartsMode()

  constructor(deps: WatcherDeps) {
    this.#deps = deps
    this.#logRange = new LogRange(deps.settings.maxLogRange)
    this.#whole = new WholeReader({ ...deps, tokens: deps.watched.tokens })
    this.#rescanAt = performance.now() + deps.settings.rescanMs
    this.#access = new LogAccess(deps)
    this.#receipts = new ReceiptRanges(deps.watched)
    this.#doubt = new NodeDoubt(deps.rpc)
    this.#crossCheck = new CrossCheck({ ...deps, range: new LogRange(deps.settings.maxLogRange) })
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<WatchPage> {
    const { heads, settings, logger } = this.#deps
    const { pollIntervalMs } = settings
    const begin = () => this.#begin(stored)
    const step = () => this.#step()
    return watchLoop<Cursor>(signal, { begin, step, wake: heads.wakeSignal, pollIntervalMs, quiet: QUIET, logger })
  }

  async #begin(stored: Json): Promise<Cursor> {
    this.#cursor = stored === null ? await this.#firstCursor() : decodeCursor(stored)
    this.#begunAt = this.#cursor.number
    await this.#deps.live.refresh()
    return this.#cursor
  }

  async #firstCursor(): Promise<Cursor> {
    const { startBlock } = this.#deps.settings
    const tip = await this.#deps.heads.tip()
    if (startBlock === null || startBlock > tip.height) return startAt({ number: tip.height, hash: tip.hash }, [])
    return cursorFrom(startBlock, this.#deps.rpc)
  }

  async #step(): Promise<WatchStep<Cursor>> {
    const before = this.#cursor
    this.#soon = false
    try {
      const page = await this.#nextPage()
      return { cursor: this.#cursor, page, rest: this.#restAfter(before) }
    } catch (error) {
      if (ServiceError.is(error)) this.#askForLess()
      throw error
    }
  }

  #restAfter(before: Cursor): WatchStep<Cursor>['rest'] {
    if (this.#cursor !== before) return 'none'
    if (this.#soon) return 'short'
    // The node that was asked for the tip may be behind what was seen before.
    return (this.#deps.heads.latest?.height ?? 0n) > this.#cursor.number ? 'none' : 'full'
  }

  /** Looks for what a node left out where it is time, and reads on by one range. Null when there is nothing to tell. */
  async #nextPage(): Promise<WatchPage | null> {
    this.#asked = null
    const tip = await this.#deps.heads.tip()
    if (performance.now() >= this.#rescanAt) {
      const found = await this.#rescan()
      if (!isEmpty(found)) return this.#page(tip, found, null)
    }
    const { number, hash } = this.#cursor
    return tip.height === number && tip.hash === hash ? this.#page(tip, NOTHING, null) : this.#read(tip)
  }

  async #read(tip: Head): Promise<WatchPage | null> {
    const { live, rpc } = this.#deps
    const { number, hash } = this.#cursor
    const { needs } = this.#whole
    const reading = this.#reading(tip)
    const { way, from, to, whole } = reading
    this.#asked = way === 'receipts' && whole === null ? null : to - from + 1n
    const logs = way === 'logs' ? logCalls(this.#access.filters(), from, to) : []
    const blocks = whole === null ? [blockCall(to)] : this.#whole.calls(whole, to, hash)
    const outcomes = await rpc.batch([blockCall(atLeastZero(number)), ...logs, ...blocks])
    // Whatever is live now could not be used before these blocks were read: where that is more, they are read again.
    await live.refresh()
    if (this.#whole.needs !== needs) return this.#read(tip)
    const knownBlock = resultOf<RpcBlock | null>(outcomes[0], 'eth_getBlockByNumber')
    if (number >= 0n && knownBlock?.hash.toLowerCase() !== hash) return this.#rewind(tip, knownBlock)
    this.#lag.end()
    const shown = outcomes.slice(1, 1 + logs.length)
    if (shown.some((outcome) => !outcome.ok && this.#access.note(outcome.error))) return this.#read(tip)
    return this.#readAll(tip, reading, { shown, blocks: outcomes.slice(1 + logs.length) })
  }

  async #readAll(
    tip: Head,
    { way, from, to, whole }: Reading,
    answers: { readonly shown: readonly RpcOutcome[]; readonly blocks: readonly RpcOutcome[] },
  ): Promise<WatchPage | null> {
    const blocks = blocksOf(answers.blocks.slice(0, whole === null ? 1 : Number(to - whole + 1n)))
    const last = blocks?.at(-1)
    // Whole blocks stand on what was read before.
    const isOn =
      whole === null || this.#cursor.number < 0n || blocks?.[0]?.parentHash.toLowerCase() === this.#cursor.hash
    if (blocks === null || last === undefined || !isOn) return this.#comeBackSoon()
    const read = await this.#hits(way, { from, to, shown: answers.shown })
    if (read === null) return this.#read(tip)
    // Receipts may be those of another node, on another branch.
    if ((read.lastHash ?? last.hash.toLowerCase()) !== last.hash.toLowerCase()) return this.#comeBackSoon()
    const found = await this.#deposits(read.hits, headOf(last), read.ask)
    if (found === null) return this.#comeBackSoon()
    const beside = whole === null ? NOTHING_WHOLE : await this.#whole.read(blocks, answers.blocks.at(-1))
    if (beside === 'less' && this.#wholeRange.shrink(to - (whole ?? to) + 1n)) return this.#read(tip)
    if (beside === 'less' || beside === null) return this.#comeBackSoon()
    this.#noteDelivered(found.hits)
    this.#doubt.end()
    this.#parts.read(way === 'parts')
    if (whole !== null) this.#wholeRange.grow()
    if (way === 'logs') this.#logRange.grow()
    this.#cursor = this.#advanced(last, [...found.seen, ...(whole === null ? [] : blocks.map(markOf))])
    return { ...this.#page(tip, found, null), ...beside }
  }

  /** Receipts are read where nodes show logs by address only, unless the watcher is far behind. */
  #way(tip: Head): ReadingWay {
    if (this.#parts.isOn) return 'parts'
    const isNear = tip.height - this.#cursor.number <= NEAR
    const byReceipts = isNear && this.#access.isNarrow() && this.#receipts.isQuick(this.#deps.rpc.ordered())
    return byReceipts ? 'receipts' : 'logs'
  }

  /** Transactions of the blocks that were asked for; null when they must be read in another way, or fewer of them. */
  async #hits(
    way: ReadingWay,
    { from, to, shown }: { readonly from: bigint; readonly to: bigint; readonly shown: readonly RpcOutcome[] },
  ): Promise<ReadHits | null> {
    if (way === 'receipts') return this.#receipts.read(from, to, this.#deps.rpc.ordered())
    const whole = way === 'parts' ? null : readHits(shown)
    const isTooMuch = whole === null || whole.length > PAGE_HITS
    if (isTooMuch && this.#range.shrink(to - from + 1n)) return null
    return whole === null ? this.#readInParts(to) : { hits: whole, ask: null }
  }

  /** After a failure: half the blocks, and of a single one part by part. */
  #askForLess(): void {
    if (this.#asked === null || this.#range.shrink(this.#asked)) return
    this.#parts.failed()
    this.#whole.askForParts()
  }

  /** How many blocks are asked for at once. */
  get #range(): LogRange {
    return this.#whole.needs === 'nothing' ? this.#logRange : this.#wholeRange
  }

  /** A block whose events no node shows in one answer does not hold up what comes after it, and is not left out (faults.md F132). */
  #readInParts(number: bigint): Promise<ReadHits> {
    this.#deps.logger.warn(
      { block: `${number}` },
      'The events of a block are refused in one answer; they are read in parts',
    )
    return readBlockSomewhere(number, this.#deps.watched, this.#deps.rpc.ordered(), this.#parts.way)
  }

  /** The next blocks to read, with the overlap unless they are read by receipts or the node takes only narrow ranges. */
  #reading(tip: Head): Reading {
    const { number } = this.#cursor
    const way = this.#way(tip)
    const size = { parts: 1n, receipts: RECEIPT_BLOCKS, logs: this.#range.size }[way]
    const from = atLeastZero(way === 'logs' && size > OVERLAP ? number - OVERLAP + 1n : number + 1n)
    const to = smaller(smaller(from + size, number + 1n + this.#range.size) - 1n, tip.height)
    if (to > number) return { way, from, to, whole: this.#whole.needs === 'nothing' ? null : number + 1n }
    const here = atLeastZero(number)
    return { way, from: here, to: here, whole: null }
  }

  /** Reads what was read lately once more, so that what a node left out of a page is found within minutes (F107). */
  async #rescan(): Promise<Findings> {
    const { number, checked } = this.#cursor
    const { pendingBlocks, rescanMs } = this.#deps.settings
    this.#rescanAt = performance.now() + rescanMs
    const pending = number - pendingBlocks
    const from = atLeastZero(checked < pending ? checked + 1n : pending)
    const second = await this.#crossCheck.read({ from, to: number, checked })
    if (second === null) return NOTHING
    const hits = this.#undelivered(second.hits)
    const found = await readDeposits(hits, null, { ask: second.ask, watched: this.#deps.watched })
    if (found === null) return NOTHING
    this.#noteDelivered(hits)
    this.#reportOmitted(hits, second.endpoint?.name)
    if (second.to > checked) this.#cursor = { ...this.#cursor, checked: second.to }
    if (second.to > checked && second.to < pending) this.#rescanAt = performance.now()
    return found
  }

  /** A transaction of this run's own pages that only a second reading showed, though they were asked for transfers of every token. */
  #reportOmitted(hits: readonly Hit[], shownBy = 'a second reading'): void {
    if (this.#access.isNarrow()) return
    for (const { txId, number } of hits) {
      if (number <= this.#begunAt) continue
      this.#deps.monitor.report({
        subject: `logs of ${txId}`,
        details: `${shownBy} shows them, the page of block ${number} did not`,
      })
    }
  }

  #advanced(block: RpcBlock, seen: readonly Mark[]): Cursor {
    const { height, hash } = headOf(block)
    if (height === this.#cursor.number && hash === this.#cursor.hash) return this.#cursor
    return advance(this.#cursor, { number: height, hash }, seen)
  }

  /** Deposits behind hits not delivered yet, read through `ask`, or where that is null at any node; null when the range must be read again. */
  async #deposits(all: readonly Hit[], last: Head, ask: Ask | null) {
    const { rpc, watched } = this.#deps
    const hits = this.#undelivered(all)
    const read = (asked: Ask) => readDeposits(hits, last, { ask: asked, watched })
    const found = await (ask === null ? askUntilShown(rpc, read) : read(ask))
    return found && { ...found, hits }
  }

  #undelivered(hits: readonly Hit[]): readonly Hit[] {
    return hits.filter((hit) => !this.#delivered.has(keyOf(hit)))
  }

  #noteDelivered(hits: readonly Hit[]): void {
    for (const hit of hits) this.#delivered.set(keyOf(hit), hit.number)
    this.#forgetDelivered()
  }

  /** Goes back to the newest remembered block that is still on the chain. */
  async #rewind(tip: Head, knownBlock: RpcBlock | null): Promise<WatchPage | null> {
    if (knownBlock === null && this.#lag.lasts()) return this.#comeBackSoon()
    const { cursor, replaced } = await rewind(this.#cursor, tip, this.#deps.rpc)
    this.#deps.logger.warn({ from: `${this.#cursor.number}`, to: `${cursor.number}` }, 'Blocks left the chain')
    this.#cursor = cursor
    this.#lag.end()
    this.#whole.forget()
    for (const [key, number] of this.#delivered) {
      if (number > cursor.number) this.#delivered.delete(key)
    }
    return { ...this.#page(tip, NOTHING, atLeastZero(cursor.number)), replaced }
  }

  /** The node is a moment behind the head, or contradicts itself during a reorg: ask again without waiting for a hint. */
  #comeBackSoon(): null {
    this.#doubt.note()
    this.#soon = true
    return null
  }

  #page(tip: Head, { deposits, executions }: Findings, rewoundTo: bigint | null): WatchPage {
    const height = atLeastZero(this.#cursor.number)
    const read = { deposits, cursor: encodeCursor(this.#cursor), height, tip: tip.height, rewoundTo }
    return executions.length === 0 ? read : { ...read, executions }
  }

  #forgetDelivered(): void {
    if (this.#delivered.size < 10_000) return
    const { number, checked } = this.#cursor
    const pending = number - this.#deps.settings.pendingBlocks - this.#deps.settings.maxLogRange
    const keep = smaller(checked, pending)
    for (const [key, number] of this.#delivered) {
      if (number < keep) this.#delivered.delete(key)
    }
  }
}

/** The cursor that a block is read from first. */
export const cursorFrom = async (first: bigint, rpc: Pick<JsonRpcClient, 'call'>): Promise<Cursor> => {
  if (first === 0n) return startAt({ number: -1n, hash: '' }, [])
  const { height, hash } = headOf(await blockAt(first - 1n, rpc))
  return startAt({ number: height, hash }, [{ number: height, hash }])
}

const startAt = (mark: Mark, ring: readonly Mark[]): Cursor => ({ ...mark, ring, checked: mark.number })

const isEmpty = ({ deposits, executions }: Findings): boolean => deposits.length + executions.length === 0

const keyOf = (hit: Hit): string => `${hit.txId}:${hit.blockHash}`
