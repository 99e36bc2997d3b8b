import { ServiceError } from '@causeway/core'
import type { Arrival, ArrivalPage, LiveAddresses } from '@causeway/core/chain'
import type { BitcoinNetwork } from '../network/networks.js'
import type { BitcoinSource, BlockHeader } from '../source/bitcoinSource.js'
import { inTurns } from '../source/inTurns.js'
import type { RawTransaction } from '../source/rawTransaction.js'
import type { SourcePool } from '../source/sourcePool.js'
import { type ArrivalCursor, encodeArrivals, type WaitingArrival } from './arrivalCursor.js'
import { arrivalsOf, receivedBy, waitingArrival } from './arrivals.js'
import { commonHeight, firstBlock } from './commonHeight.js'
import { MAX_BLOCKS, type ReadBlock } from './cursor.js'
import { isDropped, voteOf } from './dropped.js'
import { RecheckQueue } from './recheckQueue.js'

/** Blocks of one page: each is read whole. */
const PAGE_BLOCKS = 12n
/** Waiting transactions that are remembered; what strangers send beyond is told when it is in a block. */
const MAX_WAITING = 1000
/** Rest of the mempool for each transaction that waits there, milliseconds: to list them costs as much as there are. */
const REST_FOR_EACH_MS = 1

/** Payments whose inputs are asked for at once. */
const AT_ONCE = 8

export interface ArrivalReaderDeps {
  readonly network: BitcoinNetwork
  readonly live: LiveAddresses
  /** The nodes that are asked before a payment is given up. */
  readonly pool: Pick<SourcePool, 'providers' | 'providerCount'>
}

/** A step of reading: where it led and what it found. */
export interface ArrivalStep {
  readonly cursor: ArrivalCursor
  readonly page: ArrivalPage
  /** More blocks wait. */
  readonly behind: boolean
}

/**
 * Reads what comes to live addresses in whole blocks and in the mempool, one step at a time, each of one node. It costs the same whatever
 * the number of addresses: what is asked for does not depend on them, but for the inputs of a payment that was found.
 */
export class ArrivalReader {
  readonly #deps: ArrivalReaderDeps
  readonly #queue = new RecheckQueue()
  /** Waiting transactions that were looked into; after a restart they are again. */
  #looked: Set<string> = new Set()
  #mempoolAt = Number.NEGATIVE_INFINITY

  constructor(deps: ArrivalReaderDeps) {
    this.#deps = deps
  }

  /** From the tip on. */
  async begin(source: BitcoinSource): Promise<ArrivalCursor> {
    return { blocks: [await firstBlock(source, null)], waiting: new Map() }
  }

  /** Null when the node is behind, or its chain changed while it was read: nothing is learned then. */
  async step(source: BitcoinSource, cursor: ArrivalCursor): Promise<ArrivalStep | null> {
    const tip = await source.tip()
    const last = cursor.blocks.at(-1)
    if (last === undefined) throw new Error('A cursor without a block.')
    const common = await commonHeight(source, cursor.blocks, tip)
    if (common === null) return null
    if (common < last.height) return this.#rewind(source, cursor, common, tip)
    const to = common + PAGE_BLOCKS < tip.height ? common + PAGE_BLOCKS : tip.height
    // What lies in these blocks or waits now was paid to addresses that the set knows after this.
    const mempool = to === tip.height ? await this.#mempool(source) : null
    await this.#deps.live.refresh()
    const waiting = new Map(cursor.waiting)
    const read = await this.#readBlocks(source, { last, to, tip }, waiting)
    if (read === null) return null
    const arrivals = [...read.arrivals]
    if (mempool !== null) {
      arrivals.push(...(await this.#look(source, mempool.read, tip, waiting)))
      arrivals.push(...(await this.#recheckSome(source, mempool.ids, tip, waiting)))
      const looked = new Set(mempool.read.map(({ id }) => id))
      this.#looked = new Set(mempool.ids.filter((id) => looked.has(id) || this.#looked.has(id)))
    }
    const blocks = [...cursor.blocks, ...read.blocks.slice(-1)].slice(-MAX_BLOCKS)
    return this.#stepTo({ blocks, waiting }, { arrivals, height: to, tip: tip.height, rewoundTo: null })
  }

  #stepTo(cursor: ArrivalCursor, told: Omit<ArrivalPage, 'cursor'>): ArrivalStep {
    const behind = told.height < told.tip || told.rewoundTo !== null
    return { cursor, page: { ...told, cursor: encodeArrivals(cursor) }, behind }
  }

  async #mempool(source: BitcoinSource) {
    if (performance.now() < this.#mempoolAt) return null
    const reading = await source.mempool(this.#looked)
    this.#mempoolAt = performance.now() + reading.ids.length * REST_FOR_EACH_MS
    return reading
  }

  async #rewind(
    source: BitcoinSource,
    { blocks, waiting }: ArrivalCursor,
    to: bigint,
    tip: BlockHeader,
  ): Promise<ArrivalStep | null> {
    const kept = blocks.filter(({ height }) => height <= to)
    // Everything that is remembered left the chain: reading goes on from the node's own block below.
    const block = kept.length > 0 ? null : await source.blockAt(to)
    if (kept.length === 0 && block === null) return null
    const next = {
      blocks: block === null ? kept : [{ height: to, hash: block.hash }],
      waiting: new Map([...waiting].filter(([, { spendableAt, since }]) => spendableAt === null || since <= to)),
    }
    this.#mempoolAt = Number.NEGATIVE_INFINITY
    return this.#stepTo(next, { arrivals: [], height: to, tip: tip.height, rewoundTo: to })
  }

  /** Each block hangs on the one before: they are of the chain that is remembered. Null where one does not. */
  async #readBlocks(
    source: BitcoinSource,
    { last, to, tip }: { readonly last: ReadBlock; readonly to: bigint; readonly tip: BlockHeader },
    waiting: Map<string, WaitingArrival>,
  ) {
    const { network, live } = this.#deps
    const arrivals: Arrival[] = []
    const blocks: ReadBlock[] = []
    let before = last.hash
    if (to > last.height) {
      for await (const { block, transactions } of source.wholeBlocks({ from: last.height + 1n, to })) {
        if (block.previousHash !== before) return null
        before = block.hash
        blocks.push({ height: block.height, hash: block.hash })
        for (const raw of transactions) {
          waiting.delete(raw.id)
          this.#looked.delete(raw.id)
        }
        const paying = transactions.filter((raw) => receivedBy(raw, live, network).length > 0)
        const { height, hash, time } = block
        for (const [raw, whole] of await withInputs(source, paying)) {
          if (whole === null) return null
          const place = { height, hash, time }
          const received = receivedBy(raw, live, network)
          const arrival = waitingArrival({ ...whole, block: place }, received, tip.height, network)
          if ((arrival.spendableAt ?? 0n) <= tip.height) arrivals.push(...arrivalsOf(arrival, place))
          else waiting.set(raw.id, arrival)
        }
      }
    }
    return BigInt(blocks.length) === to - last.height ? { arrivals, blocks } : null
  }

  /** What has come to the mempool. */
  async #look(
    source: BitcoinSource,
    read: readonly RawTransaction[],
    tip: BlockHeader,
    waiting: Map<string, WaitingArrival>,
  ): Promise<readonly Arrival[]> {
    const { network, live } = this.#deps
    const arrivals: Arrival[] = []
    const room = Math.max(0, MAX_WAITING - waiting.size)
    const paying = read.filter((raw) => !waiting.has(raw.id) && receivedBy(raw, live, network).length > 0)
    for (const [raw, whole] of await withInputs(source, paying.slice(0, room))) {
      // In a block by now, which is read later, or gone.
      if (whole === null || whole.block !== null) continue
      const arrival = waitingArrival(whole, receivedBy(raw, live, network), tip.height, network)
      waiting.set(raw.id, arrival)
      arrivals.push(...arrivalsOf(arrival, null))
    }
    return arrivals
  }

  /** What became of some that wait no longer, in turn. A node that fails at this does not take away what it told. */
  async #recheckSome(
    source: BitcoinSource,
    ids: readonly string[],
    tip: BlockHeader,
    waiting: Map<string, WaitingArrival>,
  ): Promise<readonly Arrival[]> {
    const shown = new Set(ids)
    const departed = [...waiting.values()].filter(
      ({ txId, spendableAt }) => (spendableAt === null || spendableAt <= tip.height) && !shown.has(txId),
    )
    const arrivals: Arrival[] = []
    try {
      for (const { txId } of this.#queue.due(departed)) {
        const missed = waiting.get(txId)
        const told = missed === undefined ? [] : await this.#recheck(source, missed)
        if (told.length > 0) waiting.delete(txId)
        arrivals.push(...told)
      }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
    }
    return arrivals
  }

  async #recheck(source: BitcoinSource, missed: WaitingArrival): Promise<readonly Arrival[]> {
    const transaction = await source.transaction(missed.txId)
    if (transaction !== null) {
      return missed.spendableAt === null || transaction.block === null ? [] : arrivalsOf(missed, transaction.block)
    }
    const vote = await voteOf(source, missed)
    if (vote.shows || (!vote.expired && vote.conflict === null)) return []
    return (await isDropped(missed, this.#deps.pool)) ? arrivalsOf(missed, null, 'dropped') : []
  }
}

/** With what their inputs spend, null for those that the node does not know. */
const withInputs = (source: BitcoinSource, transactions: readonly RawTransaction[]) =>
  inTurns(transactions, AT_ONCE, async (raw) => [raw, await source.transaction(raw.id)] as const)
