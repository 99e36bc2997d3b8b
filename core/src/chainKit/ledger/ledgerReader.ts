import type { Arrival, Live } from '../../chain/address/depositAddresses.js'
import type { WatchPage } from '../../chain/chainAdapter.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { larger, smaller } from '../../money/compare.js'
import type { ArrivalsIn } from '../arrivals/accountArrivals.js'
import { type HeadPace, requireExplained } from '../endpoints/monitor/headPace.js'
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import type { WatchStep } from '../watch/watchLoop.js'
import { cursorJson, type LedgerCursor } from './ledgerCursor.js'
import { endless, gap, type HeightsRead, MOST_PAGES } from './ledgerPages.js'
import type { LedgerSource } from './ledgerSource.js'

/** Heights read in one range, unless told. */
const RANGE = 500n
/** How far back to go, and again, while the block of the cursor is not on the ledger. */
const REWIND = 16n
/** How long every node may be behind the cursor before the heights up to it are taken for invented, unless told, milliseconds. */
const BEHIND_MS = 30_000

export interface LedgerReaderDeps<Node, Transaction> {
  readonly source: Pick<LedgerSource<Node, Transaction>, 'head' | 'page' | 'block' | 'readingOf'>
  readonly pool: OrderedNodes<Node>
  /** The account whose transactions are read. */
  readonly account: string
  /** Heights in one range, which is read as a whole or again; 500 if absent. */
  readonly range?: bigint
  /** How long every node may be behind the cursor before it goes back, milliseconds; 30 s if absent. */
  readonly behindMs?: number
  /** How heads come: a head that it does not explain is not read up to. Absent: every head is believed. */
  readonly pace?: HeadPace
  /** What comes to deposit addresses; absent: there are none. */
  readonly arrivals?: ArrivalsIn<Node>
}

type Step = WatchStep<LedgerCursor>

/** What a node that has come no further than the cursor says: another one may have. */
class BehindError extends ServiceError {
  override readonly name = 'BehindError'

  constructor() {
    super('SERVICE_UNAVAILABLE', 'A node of this chain is behind what was read of it.')
  }
}

/** Reads an account's transactions range by range: the steps of a `watchLoop`. */
export class LedgerReader<Node, Transaction> {
  readonly #deps: LedgerReaderDeps<Node, Transaction>
  readonly #live: Live
  #behindSince: number | null = null
  /** The node that gave the mark of the cursor; null where another run stored it. */
  #marking: Node | null = null
  /** Pages that each node gave of the range of a height. */
  readonly #pages = new Map<Node, { readonly height: bigint; readonly count: number }>()

  constructor(deps: LedgerReaderDeps<Node, Transaction>, live: Live) {
    this.#deps = deps
    this.#live = live
  }

  /** The newest height now: what came before it is not read. */
  async begin(): Promise<LedgerCursor> {
    const { pool, source } = this.#deps
    return cursorAt(await askInOrder(pool, (node) => source.head(node)), source.block !== undefined)
  }

  /**
   * Reads on at the first node that has what comes next; a step without a page where none has come further.
   * @throws ServiceError when no node answers, or none has the history above the cursor
   */
  async step(cursor: LedgerCursor): Promise<Step> {
    try {
      const step = await this.#anywhere(cursor).catch((error: unknown) => {
        // A mark may be of the node that gave it: the range is read again from its beginning.
        if (cursor.part === null || !ServiceError.is(error)) throw error
        return this.#anywhere({ ...cursor, part: null })
      })
      this.#behindSince = null
      return step
    } catch (error) {
      if (error instanceof BehindError) return this.#behind(cursor)
      throw error
    }
  }

  /**
   * A node may have invented heights that were read as empty. Where blocks do not show that, and every node stays behind the cursor, it
   * goes back to what was read a second time.
   */
  async #behind(cursor: LedgerCursor): Promise<Step> {
    const { source, pool, behindMs = BEHIND_MS } = this.#deps
    this.#behindSince ??= performance.now()
    if (source.block !== undefined || performance.now() - this.#behindSince < behindMs) return nothing(cursor)
    this.#behindSince = null
    const head = await askInOrder(pool, (node) => source.head(node))
    const height = smaller(cursor.checked, head.height)
    if (height >= cursor.height) return nothing(cursor)
    const next = { ...cursor, height, checked: height, part: null }
    return { cursor: next, page: pageAt(next, head, { rewoundTo: height }), rest: 'none' }
  }

  #anywhere(cursor: LedgerCursor): Promise<Step> {
    return askInOrder(this.#deps.pool, (node) => this.#stepOn(node, cursor))
  }

  /** All of one step comes from one node. */
  async #stepOn(node: Node, cursor: LedgerCursor): Promise<Step> {
    const { source, range = RANGE, pace } = this.#deps
    const head = await source.head(node)
    if (pace !== undefined) requireExplained(head.height, pace)
    const least = cursor.part?.upTo ?? cursor.height
    if (head.height < least) throw new BehindError()
    if (head.height === cursor.height && (source.block === undefined || head.hash === cursor.hash))
      return nothing(cursor)
    const upTo = cursor.part?.upTo ?? smaller(head.height, cursor.height + range)
    if (source.block === undefined) return this.#readOn(node, cursor, { upTo, hash: null, head })
    // Read before the transactions: a block that is replaced meanwhile shows in the next step.
    const last = upTo === head.height ? head : await blockAt(source, node, upTo)
    const before = cursor.height === upTo ? last : await source.block(node, cursor.height)
    if (before?.hash !== cursor.hash) return this.#rewind(node, cursor, head)
    if (cursor.height === upTo) return nothing(cursor)
    const stays = cursor.part === null || cursor.part.hash === last.hash
    return this.#readOn(node, stays ? cursor : { ...cursor, part: null }, { upTo, hash: last.hash, head })
  }

  async #readOn(
    node: Node,
    cursor: LedgerCursor,
    { upTo, hash, head }: { readonly upTo: bigint; readonly hash: string | null; readonly head: BlockRef },
  ): Promise<Step> {
    const { source, account } = this.#deps
    // Heights up to `upTo` exist already, and of a range that was read in part all that came to addresses is told.
    await this.#live.refresh()
    const arrivals = cursor.part === null ? await this.#arrivals(node, { after: cursor.height, upTo }) : []
    const {
      transactions,
      more,
      since = 0n,
    } = await source.page(node, {
      account,
      after: cursor.height,
      upTo,
      // Where another node goes on, its own list of the range is read: a mark may leave transactions out.
      mark: this.#marking === null || this.#marking === node ? (cursor.part?.mark ?? null) : null,
    })
    if (since > cursor.height + 1n) throw gap(cursor.height + 1n, since)
    if (more !== null) this.#countPage(node, cursor.height)
    this.#marking = more === null ? null : node
    const next =
      more === null ? { ...cursor, height: upTo, hash, part: null } : { ...cursor, part: { upTo, hash, mark: more } }
    const deposits = transactions.flatMap((transaction) => source.readingOf(transaction).deposits)
    return { cursor: next, page: pageAt(next, head, { deposits, arrivals }), rest: 'none' }
  }

  async #arrivals(node: Node, range: HeightsRead): Promise<readonly Arrival[]> {
    const { arrivals } = this.#deps
    return arrivals === undefined || this.#live.size === 0 ? [] : arrivals(node, range, this.#live)
  }

  #countPage(node: Node, height: bigint): void {
    const known = this.#pages.get(node)
    const count = known?.height === height ? known.count + 1 : 1
    this.#pages.set(node, { height, count })
    if (count > MOST_PAGES) throw endless()
  }

  /** Blocks are gone: goes back to one that is surely older, and says so. */
  async #rewind(node: Node, cursor: LedgerCursor, head: BlockRef): Promise<Step> {
    const height = larger(smaller(cursor.height, head.height) - REWIND, 0n)
    const back = cursorAt(await blockAt(this.#deps.source, node, height), true)
    const next = { ...back, checked: smaller(cursor.checked, back.height) }
    return { cursor: next, page: pageAt(next, head, { rewoundTo: height }), rest: 'none' }
  }
}

const nothing = (cursor: LedgerCursor) => ({ cursor, page: null, rest: 'full' }) as const

const cursorAt = ({ height, hash }: BlockRef, mayLeave: boolean): LedgerCursor => ({
  height,
  checked: height,
  hash: mayLeave ? hash : null,
  part: null,
})

/** @throws ServiceError where the node has not come so far */
export const blockAt = async <Node>(
  source: Pick<LedgerSource<Node, unknown>, 'block'>,
  node: Node,
  height: bigint,
): Promise<BlockRef> => {
  const block = await source.block?.(node, height)
  if (block === null || block === undefined) throw new BehindError()
  return block
}

const pageAt = (
  cursor: LedgerCursor,
  head: BlockRef,
  { deposits = [], arrivals = [], rewoundTo = null }: Partial<Pick<WatchPage, 'deposits' | 'arrivals' | 'rewoundTo'>>,
): WatchPage => ({
  deposits,
  arrivals,
  cursor: cursorJson(cursor),
  height: cursor.height,
  tip: head.height,
  rewoundTo,
})
