import { type Json, larger, smaller } from '@causeway/core'
import type { ChainConfig, ChainDeps, DepositEvent, DirectCapability, Live, WatchPage } from '@causeway/core/chain'
import { type EndpointMonitor, type JsonRpcClient, type WatchStep, watchLoop } from '@causeway/core/chain-kit'
import { type NextBlocks, WholeBlocks } from '../../depositAddress/arrivals/wholeBlocks.js'
import { directMark } from '../../direct/directMark.js'
import { DirectReader } from '../../direct/directReader.js'
import type { SvmSettings } from '../../options.js'
import { BlockReader } from '../../rpc/head/blockReader.js'
import type { HeadSource } from '../../rpc/head/headSource.js'
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
  readonly live: Live
  readonly config: Pick<ChainConfig, 'currencies'>
  /** The kinds of quotes that users of this chain carry out alone. */
  readonly directKinds: DirectCapability['kinds']
  /** Addresses whose transactions may hold deposits. */
  readonly addresses: () => Promise<readonly string[]>
  readonly settings: SvmSettings
  readonly monitor: EndpointMonitor
  readonly logger: ChainDeps['logger']
}

/** What one round of reading has found. */
interface Round {
  readonly node: BoundNode
  readonly listing: Listing
  /** What blocks were read whole; null: nothing is live that they are read for. */
  readonly blocks: Extract<NextBlocks, { kind: 'read' }> | null
}

/**
 * Reads from a cursor on: deposits by the signatures of their accounts, and while an address or a quote is live what comes to addresses, by whole
 * blocks, and what users execute alone, by the signatures of the mark. One instance is one run; `pages` is its life.
 */
export class Watcher {
  readonly #deps: WatcherDeps
  readonly #signatures: SignatureReader
  readonly #hits: HitReader
  readonly #crossCheck: CrossCheck
  readonly #forks = new ForkCheck()
  readonly #wholeBlocks: WholeBlocks
  readonly #directs: DirectReader
  readonly #mark: string
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
    this.#wholeBlocks = new WholeBlocks(deps)
    this.#directs = new DirectReader(transactionBatch)
    this.#mark = directMark(depository)
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
    await this.#deps.live.refresh()
    return this.#cursor
  }

  async #firstCursor(): Promise<Cursor> {
    const { startSlot } = this.#deps.settings
    const tip = (await this.#deps.heads.refresh()).height
    return cursorAt(startSlot === null || BigInt(startSlot) > tip ? tip : BigInt(startSlot))
  }

  /** Looks for what a node left out where it is time, and reads on where there is reason to. */
  async #step(): Promise<WatchStep<Cursor>> {
    if (performance.now() >= this.#rescanAt) {
      const found = await this.#rescan()
      if (found.length > 0) return { cursor: this.#cursor, page: this.#page({ deposits: found }), rest: 'none' }
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
    const needs = this.#needs()
    const { blocks: read, slot } = this.#cursor
    const blocks = needs.blocks ? await this.#wholeBlocks.next(read, slot) : null
    const listing = await this.#signatures.read(this.#floors(), node.ask)
    // Whatever is live now could not be used before this was read: where that is more, it is read again.
    await this.#deps.live.refresh()
    if (this.#needs().blocks !== needs.blocks || this.#needs().mark !== needs.mark) return this.#read()
    this.#requireExplained(listing, node)
    this.#tip = larger(this.#tip, listing.confirmed)
    // After a pause, or from an old cursor: no node cleans up what is younger.
    if (listing.confirmed - this.#cursor.slot > NEAR) await requireSlots(node, this.#cursor.slot + 1n)
    if (listing.until === null) {
      const lost = await this.#forks.lost(this.#cursor.open, listing, node.ask)
      if (lost.size > 0) return this.#rewind([...lost.values()].reduce(smaller) - 1n)
    }
    if (blocks?.kind === 'fork') return this.#rewind(blocks.kept.slot)
    return this.#advance({ node, listing, blocks })
  }

  /** What is live beside deposits: addresses, for which blocks are read whole, and quotes, whose transactions mention the mark. */
  #needs(): { readonly blocks: boolean; readonly mark: boolean } {
    const { live, directKinds } = this.#deps
    return { blocks: live.size > 0, mark: live.awaits(directKinds) }
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
    const listed = this.#needs().mark ? [...this.#addresses, this.#mark] : this.#addresses
    return new Map(listed.map((address) => [address, this.#cursor.floors.get(address) ?? begin]))
  }

  async #advance({ node, listing, blocks }: Round): Promise<WatchPage> {
    const limit = this.#limit(listing, blocks)
    const hits = this.#freshHits(listing, limit)
    const due = hits.slice(0, PAGE_HITS)
    const { deposits, read, missing } = await this.#hits.read(due, listing.finalized, node)
    const { candidates, isWhole } = await this.#directs.read(listing.hits.get(this.#mark) ?? [], node)
    for (const { signature, slot } of read) this.#seen.set(signature, slot)
    const unread = missing ?? hits[due.length]
    this.#soon = this.#hits.isWaiting
    this.#moved = read.length > 0 || blocks?.isBehind === true
    const reached = unread === undefined ? (limit ?? listing.confirmed) : unread.slot - 1n
    this.#moveTo(reached, listing, { deposits, kept: isWhole ? null : this.#mark })
    this.#cursor = { ...this.#cursor, blocks: blocks?.blocks ?? [] }
    const arrivals = blocks === null ? [] : this.#wholeBlocks.arrivals(blocks.fresh, this.#deps.live)
    return this.#page({ deposits, arrivals, candidates })
  }

  /**
   * Slot above which this round reads nothing; null: it reads all that is listed. No deposit of a sweep is told before what came to its address:
   * where blocks are read whole, deposits are read no further.
   */
  #limit({ until, finalized, confirmed }: Listing, blocks: Round['blocks']): bigint | null {
    const whole = blocks === null ? null : (blocks.blocks.at(-1)?.slot ?? this.#cursor.slot)
    const limits = [until, this.#cursor.open.size < MAX_OPEN ? null : finalized, whole]
    const limit = limits.reduce((least, at) => (least === null || (at !== null && at < least) ? at : least), null)
    return limit === null ? null : smaller(limit, confirmed)
  }

  /** Listed transactions that succeeded and were not read in this run, in order of slots. */
  #freshHits({ hits }: Listing, limit: bigint | null): readonly Hit[] {
    const fresh = new Map<string, Hit>()
    for (const [address, list] of hits) {
      if (address === this.#mark) continue
      for (const hit of list) {
        const wanted = !hit.failed && (limit === null || hit.slot <= limit)
        if (wanted && !this.#seen.has(hit.signature)) fresh.set(hit.signature, hit)
      }
    }
    return [...fresh.values()].sort((left, right) => Number(left.slot - right.slot))
  }

  /** `kept`: an address of which not all was shown; it is listed again from its floor on. */
  #moveTo(
    reached: bigint,
    listing: Listing,
    { deposits, kept }: { readonly deposits: readonly DepositEvent[]; readonly kept: string | null },
  ): void {
    const { slot, floors: before, open: known } = this.#cursor
    const { finalized, until } = listing
    const open = new Map([...known].filter(([, at]) => at > finalized || at > reached))
    for (const { tx, block } of deposits) {
      if (block !== null && block.height > finalized) open.set(tx.id, block.height)
    }
    const final = smaller(finalized, reached)
    const floors = new Map(before)
    // What mentions the mark while no quote is live is of nobody.
    floors.delete(this.#mark)
    for (const [address, floor] of this.#floors()) {
      if (address === kept) floors.set(address, floor)
      if (address === kept) continue
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

  /** Goes back below the lowest deposit that a fork took away, or to a block that stands, so that the host looks at what it stored above. */
  #rewind(standing: bigint): WatchPage {
    const { slot, checked, open, blocks } = this.#cursor
    const target = smaller(standing, slot)
    this.#deps.logger.warn({ from: `${slot}`, to: `${target}` }, 'Blocks left the chain')
    for (const [signature, at] of this.#seen) if (at > target) this.#seen.delete(signature)
    this.#cursor = {
      ...this.#cursor,
      slot: target,
      open: new Map([...open].filter(([, at]) => at <= target)),
      checked: smaller(checked, target),
      blocks: blocks.filter((block) => block.slot <= target),
    }
    this.#soon = true
    return this.#page({ rewoundTo: target })
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

  #page(found: Partial<WatchPage>): WatchPage {
    const { slot: height } = this.#cursor
    const tip = larger(this.#tip, height)
    return { deposits: [], cursor: encodeCursor(this.#cursor), height, tip, rewoundTo: null, ...found }
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
