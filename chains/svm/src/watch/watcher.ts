import { type Json, larger, smaller } from '@causeway/core'
import type { ChainDeps, DepositEvent, WatchPage } from '@causeway/core/chain'
import { type EndpointMonitor, type JsonRpcClient, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import { BlockReader } from '../head/blockReader.js'
import type { HeadSource } from '../head/headSource.js'
import type { SvmSettings } from '../options.js'
import { type BoundNode, readingNode } from './boundNode.js'
import { CrossCheck } from './crossCheck.js'
import { type Cursor, cursorAt, decodeCursor, encodeCursor, type Floor } from './cursor.js'
import { ForkCheck } from './forkCheck.js'
import { HitReader } from './hitReader.js'
import { requireSlots } from './requireSlots.js'
import { type Hit, type Listing, SignatureReader } from './signatureReader.js'

/** How rarely a page without deposits is worth a write. */
const QUIET = { ms: 1000, blocks: 100n } as const
/** Transactions read for one page. */
const PAGE_HITS = 200
/** Deposits that may be delivered before they are final; beyond, only final ones are. */
const MAX_OPEN = 4000
const MAX_SEEN = 50_000
/** Slots that every node still has. */
const NEAR = 16n

export interface WatcherDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  /** Addresses whose transactions may hold deposits. */
  readonly addresses: () => Promise<readonly string[]>
  readonly settings: SvmSettings
  readonly monitor: EndpointMonitor
  readonly logger: ChainDeps['logger']
}

/** Reads deposits from a cursor on. One instance is one run; `pages` is its life. */
export class Watcher {
  readonly #deps: WatcherDeps
  readonly #signatures: SignatureReader
  readonly #hits: HitReader
  readonly #crossCheck: CrossCheck
  readonly #forks = new ForkCheck()
  /** Transactions read in this run, by slot. */
  readonly #seen = new Map<string, bigint>()
  #addresses: readonly string[] = []
  #cursor = cursorAt(0n)
  /** Where this run began. */
  #begunAt = 0n
  #tip = 0n
  #rescanAt: number
  #soon = false
  /** The last step read something, so that more may wait. */
  #moved = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #hinted = -1

  constructor(deps: WatcherDeps) {
    this.#deps = deps
    const { depository, depositoryProgram, transactionBatch, signaturePage, rescanMs } = deps.settings
    const blocks = new BlockReader(deps.rpc)
    const onUnreadable = ({ signature }: Hit) =>
      deps.logger.error(
        { signature },
        'A node refuses a transaction for its version: when it shows it, read it with POST /transactions/index or causeway deposits rescan',
      )
    const read = { depository, program: depositoryProgram, blocks, batch: transactionBatch, onUnreadable }
    this.#hits = new HitReader({ ...deps, read })
    this.#signatures = new SignatureReader(signaturePage)
    this.#crossCheck = new CrossCheck({ rpc: deps.rpc, page: signaturePage, read, logger: deps.logger })
    this.#rescanAt = performance.now() + rescanMs
  }

  pages(stored: Json, signal: AbortSignal): AsyncGenerator<WatchPage> {
    const { heads, settings, logger } = this.#deps
    const { pollIntervalMs } = settings
    const begin = () => this.#begin(stored)
    const step = () => this.#step()
    return watchLoop<Cursor>(signal, { begin, step, wake: heads.wakeSignal, pollIntervalMs, quiet: QUIET, logger })
  }

  async #begin(stored: Json): Promise<Cursor> {
    this.#addresses = await this.#deps.addresses()
    this.#cursor = stored === null ? await this.#firstCursor() : decodeCursor(stored)
    this.#begunAt = this.#cursor.slot
    return this.#cursor
  }

  async #firstCursor(): Promise<Cursor> {
    const { startSlot } = this.#deps.settings
    const tip = (await this.#deps.heads.tip()).height
    return cursorAt(startSlot === null || BigInt(startSlot) > tip ? tip : BigInt(startSlot))
  }

  /** Looks for what a node left out where it is time, and reads on where there is reason to. */
  async #step(): Promise<WatchStep<Cursor>> {
    if (performance.now() >= this.#rescanAt) {
      const found = await this.#rescan()
      if (found.length > 0) return { cursor: this.#cursor, page: this.#page(found, null), rest: 'none' }
    }
    this.#moved = false
    const page = this.#isDue() ? await this.#read() : null
    return { cursor: this.#cursor, page, rest: this.#moved ? 'none' : this.#soon ? 'short' : 'full' }
  }

  async #read(): Promise<WatchPage> {
    const node = readingNode(this.#deps.rpc)
    this.#hinted = this.#deps.heads.hints
    this.#lookedAt = performance.now()
    this.#soon = false
    const listing = await this.#signatures.read(this.#floors(), node.ask)
    this.#requireExplained(listing, node)
    this.#tip = larger(this.#tip, listing.confirmed)
    // After a pause, or from an old cursor: no node cleans up what is younger.
    if (listing.confirmed - this.#cursor.slot > NEAR) await requireSlots(node, this.#cursor.slot + 1n)
    if (listing.until === null) {
      const lost = await this.#forks.lost(this.#cursor.open, listing, node.ask)
      if (lost.size > 0) return this.#rewind(lost)
    }
    return this.#advance(listing, node)
  }

  /** Slots that a node invented would become floors, below which no signature is read again. */
  #requireExplained({ confirmed, finalized, hits }: Listing, { endpoint }: BoundNode): void {
    const newest = [...hits.values()].map((list) => list.at(-1)?.slot ?? 0n)
    try {
      for (const slot of [confirmed, finalized, ...newest]) this.#deps.heads.requireExplained(slot)
    } catch (error) {
      endpoint.fail(error)
      throw error
    }
  }

  /** After a hint at once, else as often as configured: a websocket announces heads faster than they are worth a second. */
  #isDue(): boolean {
    const { heads, settings } = this.#deps
    if (this.#soon || this.#signatures.isBehind || heads.hints !== this.#hinted) return true
    return performance.now() - this.#lookedAt >= 0.8 * settings.pollIntervalMs
  }

  #floors(): ReadonlyMap<string, Floor> {
    const begin: Floor = { signature: null, slot: this.#cursor.slot }
    return new Map(this.#addresses.map((address) => [address, this.#cursor.floors.get(address) ?? begin]))
  }

  async #advance(listing: Listing, node: BoundNode): Promise<WatchPage> {
    const limit = this.#limit(listing)
    const hits = this.#freshHits(listing, limit)
    const due = hits.slice(0, PAGE_HITS)
    const { deposits, read, missing } = await this.#hits.read(due, listing.finalized, node)
    for (const { signature, slot } of read) this.#seen.set(signature, slot)
    const unread = missing ?? hits[due.length]
    this.#soon = this.#hits.isWaiting
    this.#moved = read.length > 0
    this.#moveTo(unread === undefined ? (limit ?? listing.confirmed) : unread.slot - 1n, listing, deposits)
    return this.#page(deposits, null)
  }

  /** Slot above which this round reads nothing; null: it reads all that is listed. */
  #limit({ until, finalized }: Listing): bigint | null {
    if (this.#cursor.open.size < MAX_OPEN) return until
    return until === null ? finalized : smaller(finalized, until)
  }

  /** Listed transactions that succeeded and were not read in this run, in order of slots. */
  #freshHits({ hits }: Listing, limit: bigint | null): readonly Hit[] {
    const fresh = new Map<string, Hit>()
    for (const list of hits.values()) {
      for (const hit of list) {
        const wanted = !hit.failed && (limit === null || hit.slot <= limit)
        if (wanted && !this.#seen.has(hit.signature)) fresh.set(hit.signature, hit)
      }
    }
    return [...fresh.values()].sort((left, right) => Number(left.slot - right.slot))
  }

  #moveTo(reached: bigint, listing: Listing, deposits: readonly DepositEvent[]): void {
    const { slot, floors: before, open: known } = this.#cursor
    const { finalized, until } = listing
    const open = new Map([...known].filter(([, at]) => at > finalized || at > reached))
    for (const { tx, block } of deposits) {
      if (block !== null && block.height > finalized) open.set(tx.id, block.height)
    }
    const final = smaller(finalized, reached)
    const floors = new Map(before)
    for (const [address, floor] of this.#floors()) {
      const hits = listing.hits.get(address) ?? []
      const last = hits.findLast((hit) => hit.slot <= final)
      const older = floor.signature ?? listing.below.get(address) ?? null
      const next = last === undefined ? { ...floor, signature: older } : { signature: last.signature, slot: last.slot }
      floors.set(address, next)
      this.#signatures.passed(address, hits.at(-1)?.signature, next)
    }
    // What else is in the last slot of a part comes with the next part.
    const whole = until === null || reached < until ? reached : until - 1n
    this.#cursor = { ...this.#cursor, floors, open, slot: larger(whole, slot) }
    this.#forgetSeen(final)
  }

  /** Goes back below the lowest deposit that a fork took away, so that the host looks at what it stored above. */
  #rewind(lost: ReadonlyMap<string, bigint>): WatchPage {
    let target = this.#cursor.slot
    for (const slot of lost.values()) if (slot - 1n < target) target = slot - 1n
    this.#deps.logger.warn({ from: `${this.#cursor.slot}`, to: `${target}` }, 'Blocks left the chain')
    const open = new Map([...this.#cursor.open].filter(([, slot]) => slot <= target))
    for (const [signature, slot] of this.#seen) if (slot > target) this.#seen.delete(signature)
    const { checked } = this.#cursor
    this.#cursor = { ...this.#cursor, slot: target, open, checked: smaller(checked, target) }
    this.#soon = true
    return this.#page([], target)
  }

  /** Reads what was read lately once more, so that what a node left out of a page is found within minutes (F107). */
  async #rescan(): Promise<readonly DepositEvent[]> {
    const { slot, checked } = this.#cursor
    this.#rescanAt = performance.now() + this.#deps.settings.rescanMs
    const second = await this.#crossCheck.read({
      addresses: this.#addresses,
      from: checked,
      to: slot,
      seen: this.#seen,
    })
    if (second === null) return []
    for (const hit of second.read) {
      this.#seen.set(hit.signature, hit.slot)
      if (hit.slot <= this.#begunAt) continue
      const details = `${second.shownBy} lists it, the page of slot ${hit.slot} did not`
      this.#deps.monitor.report({ subject: `transaction ${hit.signature}`, details })
    }
    const open = new Map(this.#cursor.open)
    for (const { tx, block } of second.deposits) {
      if (block !== null && block.height > second.finalized) open.set(tx.id, block.height)
    }
    this.#cursor = { ...this.#cursor, open, checked: larger(second.to, checked) }
    return second.deposits
  }

  #page(deposits: readonly DepositEvent[], rewoundTo: bigint | null): WatchPage {
    const tip = larger(this.#tip, this.#cursor.slot)
    return { deposits, cursor: encodeCursor(this.#cursor), height: this.#cursor.slot, tip, rewoundTo }
  }

  /** What is below every floor and was read a second time is not listed again. */
  #forgetSeen(final: bigint): void {
    const { checked } = this.#cursor
    const keep = smaller(checked, final)
    for (const [signature, slot] of this.#seen) {
      if (slot < keep || this.#seen.size > MAX_SEEN) this.#seen.delete(signature)
    }
  }
}
