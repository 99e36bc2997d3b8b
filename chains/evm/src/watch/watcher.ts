import {
  type ChainDeps,
  type EndpointMonitor,
  type Json,
  type JsonRpcClient,
  resultOf,
  ServiceError,
  smaller,
  type WatchPage,
} from '@causeway/core'
import type { Head, HeadSource } from '../head/headSource.js'
import { headOf, LAG_GRACE_MS } from '../head/headSource.js'
import type { EvmSettings } from '../options.js'
import { quantity, type RpcBlock } from '../rpc/wire.js'
import { CrossCheck } from './crossCheck.js'
import { advance, type Cursor, decodeCursor, encodeCursor, type Mark } from './cursor.js'
import { type Hit, LogRange, logCalls, readHits, type Watched } from './logReader.js'
import { type Ask, blockCall, type Findings, NOTHING, readDeposits } from './readDeposits.js'

/** Blocks read again with every page: a node may show logs late. */
const OVERLAP = 2n
const PAGE_MS = 1000
const SOON_MS = 50
const PAGE_BLOCKS = 100n
/** How far back to go when no remembered block is on the chain any more. */
const DEEP_REWIND = 256n

export interface WatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly watched: Watched
  readonly settings: EvmSettings
  readonly monitor: EndpointMonitor
  readonly logger: ChainDeps['logger']
}

/** Reads deposits and direct swaps from a cursor on. One instance is one run; `pages` is its life. */
export class Watcher {
  readonly #deps: WatcherDeps
  readonly #range: LogRange
  readonly #crossCheck: CrossCheck
  /** Transactions delivered in this run, by block: the overlap would deliver them with each page. */
  readonly #delivered = new Map<string, bigint>()
  #cursor: Cursor = { number: -1n, hash: '', ring: [], checked: -1n }
  #pageAt = 0
  #pageNumber = -1n
  /** Where this run began. */
  #begunAt = -1n
  #rescanAt: number
  #lagSince: number | null = null
  #soon = false

  constructor(deps: WatcherDeps) {
    this.#deps = deps
    this.#range = new LogRange(deps.settings.maxLogRange)
    this.#rescanAt = Date.now() + deps.settings.rescanMs
    this.#crossCheck = new CrossCheck({ ...deps, range: this.#range })
  }

  async *pages(stored: Json, signal: AbortSignal): AsyncGenerator<WatchPage> {
    let begun = false
    let failures = 0
    while (!signal.aborted) {
      let page: WatchPage | null = null
      let moved = false
      try {
        if (!begun) {
          this.#cursor = await this.#begin(stored)
          this.#begunAt = this.#cursor.number
          begun = true
        }
        const before = this.#cursor
        page = await this.#step()
        moved = this.#cursor !== before
        failures = 0
      } catch (error) {
        if (!ServiceError.is(error)) throw error
        failures += 1
        if (error.code === 'REQUEST_TIMED_OUT') this.#range.shrink(this.#range.size)
        this.#deps.logger.warn({ err: error, failures }, 'Deposits could not be read; trying again')
      }
      if (signal.aborted) return
      if (page !== null) yield page
      if (!moved) await this.#rest(failures, signal)
    }
  }

  #rest(failures: number, signal: AbortSignal): Promise<void> {
    const { pollIntervalMs } = this.#deps.settings
    if (this.#soon) {
      this.#soon = false
      return this.#deps.heads.waitForHint(SOON_MS, signal)
    }
    // A head that came while the last page was being stored woke nobody.
    const ahead = (this.#deps.heads.latest?.height ?? 0n) > this.#cursor.number
    if (ahead && failures === 0) return Promise.resolve()
    return this.#deps.heads.waitForHint(Math.min(10_000, pollIntervalMs * 2 ** Math.min(failures, 5)), signal)
  }

  async #begin(stored: Json): Promise<Cursor> {
    if (stored !== null) return decodeCursor(stored)
    const { startBlock } = this.#deps.settings
    const tip = await this.#deps.heads.tip()
    if (startBlock === null || startBlock > tip.height) return startAt({ number: tip.height, hash: tip.hash }, [])
    if (startBlock === 0n) return startAt({ number: -1n, hash: '' }, [])
    const block = await this.#deps.rpc.call<RpcBlock>('eth_getBlockByNumber', [quantity(startBlock - 1n), false])
    const { height, hash } = headOf(block)
    return startAt({ number: height, hash }, [{ number: height, hash }])
  }

  /** Reads on by one range. Null when there is nothing to tell. */
  async #step(): Promise<WatchPage | null> {
    const tip = await this.#deps.heads.tip()
    if (Date.now() >= this.#rescanAt) {
      const found = await this.#rescan()
      if (!isEmpty(found)) return this.#page(tip, found, null)
    }
    const { number, hash } = this.#cursor
    if (tip.height === number && tip.hash === hash) return this.#quietPage(tip)
    return this.#read(tip)
  }

  async #read(tip: Head): Promise<WatchPage | null> {
    const { number, hash } = this.#cursor
    const { from, to } = this.#span(tip)
    const calls = [blockCall(atLeastZero(number)), ...logCalls(this.#deps.watched, from, to), blockCall(to)]
    const [known, firstLogs, secondLogs, last] = await this.#deps.rpc.batch(calls)
    const knownBlock = resultOf<RpcBlock | null>(known, 'eth_getBlockByNumber')
    if (number >= 0n && knownBlock?.hash.toLowerCase() !== hash) return this.#rewind(tip, knownBlock)
    this.#lagSince = null
    const lastBlock = resultOf<RpcBlock | null>(last, 'eth_getBlockByNumber')
    if (firstLogs === undefined || secondLogs === undefined || lastBlock === null) return this.#comeBackSoon()
    const hits = readHits([firstLogs, secondLogs])
    if (hits === null) {
      this.#range.shrinkOrFail(to - from + 1n)
      return this.#read(tip)
    }
    this.#range.grow()
    const found = await this.#deposits(hits, headOf(lastBlock))
    if (found === null) return this.#comeBackSoon()
    this.#cursor = this.#advanced(lastBlock, found.seen)
    return isEmpty(found) ? this.#quietPage(tip) : this.#page(tip, found, null)
  }

  /** The next blocks to read, with the overlap unless the node takes only narrow ranges. */
  #span(tip: Head): { readonly from: bigint; readonly to: bigint } {
    const { number } = this.#cursor
    const { size } = this.#range
    const from = atLeastZero(size > OVERLAP ? number - OVERLAP + 1n : number + 1n)
    const reach = from + size - 1n
    const to = reach < tip.height ? reach : tip.height
    if (to > number) return { from, to }
    const here = atLeastZero(number)
    return { from: here, to: here }
  }

  /** Reads what was read lately once more, so that what a node left out of a page is found within minutes (F107). */
  async #rescan(): Promise<Findings> {
    const { number, checked } = this.#cursor
    const { pendingBlocks, rescanMs } = this.#deps.settings
    this.#rescanAt = Date.now() + rescanMs
    const pending = number - pendingBlocks
    const second = await this.#crossCheck.look(atLeastZero(checked < pending ? checked + 1n : pending), number)
    if (second === null) return NOTHING
    const hits = this.#undelivered(second.hits)
    const found = await readDeposits(hits, null, { ask: second.ask, watched: this.#deps.watched })
    if (found === null) return NOTHING
    this.#noteDelivered(hits)
    this.#reportOmitted(hits, second.endpoint?.name)
    if (second.to > checked) this.#cursor = { ...this.#cursor, checked: second.to }
    if (second.to > checked && second.to < pending) this.#rescanAt = Date.now()
    return found
  }

  /** A transaction of this run's own pages that only a second look showed. */
  #reportOmitted(hits: readonly Hit[], shownBy = 'a second look'): void {
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

  /** Deposits behind hits not delivered yet; null when the range must be read again. */
  async #deposits(all: readonly Hit[], last: Head) {
    const hits = this.#undelivered(all)
    const ask: Ask = (calls) => this.#deps.rpc.batch(calls)
    const found = await readDeposits(hits, last, { ask, watched: this.#deps.watched })
    if (found !== null) this.#noteDelivered(hits)
    return found
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
    if (knownBlock === null && this.#mayLag()) return this.#comeBackSoon()
    const marks = this.#cursor.ring.filter((mark) => mark.number < this.#cursor.number)
    const outcomes = await this.#deps.rpc.results(marks.map((mark) => blockCall(mark.number)))
    const still = marks.filter((mark, at) => {
      const block = outcomes[at] as RpcBlock | null
      return block?.hash.toLowerCase() === mark.hash
    })
    const lowest = this.#cursor.ring[0]?.number ?? this.#cursor.number
    const target = still.at(-1) ?? (await this.#deepMark(lowest))
    this.#deps.logger.warn({ from: `${this.#cursor.number}`, to: `${target.number}` }, 'Blocks left the chain')
    const { checked } = this.#cursor
    this.#cursor = { ...target, ring: still, checked: smaller(checked, target.number) }
    this.#lagSince = null
    for (const [key, number] of this.#delivered) {
      if (number > target.number) this.#delivered.delete(key)
    }
    return this.#page(tip, NOTHING, atLeastZero(target.number))
  }

  async #deepMark(lowest: bigint): Promise<Mark> {
    const number = lowest > DEEP_REWIND ? lowest - DEEP_REWIND : 0n
    const block = await this.#deps.rpc.call<RpcBlock>('eth_getBlockByNumber', [quantity(number), false])
    return { number, hash: headOf(block).hash }
  }

  /** True for a while after the block we stand on turned out to be unknown to the node. */
  #mayLag(): boolean {
    this.#lagSince ??= Date.now()
    return Date.now() - this.#lagSince < LAG_GRACE_MS
  }

  /** The node is a moment behind the head, or contradicts itself during a reorg: ask again without waiting for a hint. */
  #comeBackSoon(): null {
    this.#soon = true
    return null
  }

  #page(tip: Head, { deposits, executions }: Findings, rewoundTo: bigint | null): WatchPage {
    this.#pageAt = Date.now()
    this.#pageNumber = this.#cursor.number
    const height = atLeastZero(this.#cursor.number)
    const read = { deposits, cursor: encodeCursor(this.#cursor), height, tip: tip.height, rewoundTo }
    return executions.length === 0 ? read : { ...read, executions }
  }

  /** A page without deposits, when the cursor moved far or long enough to be worth a write. */
  #quietPage(tip: Head): WatchPage | null {
    const moved = this.#cursor.number - this.#pageNumber
    if (moved === 0n) return null
    const due = moved >= PAGE_BLOCKS || Date.now() - this.#pageAt >= PAGE_MS
    return due ? this.#page(tip, NOTHING, null) : null
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

const startAt = (mark: Mark, ring: readonly Mark[]): Cursor => ({ ...mark, ring, checked: mark.number })

const isEmpty = ({ deposits, executions }: Findings): boolean => deposits.length + executions.length === 0

const atLeastZero = (value: bigint): bigint => (value < 0n ? 0n : value)

const keyOf = (hit: Hit): string => `${hit.txId}:${hit.blockHash}`
