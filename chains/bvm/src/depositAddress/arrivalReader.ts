import type { Arrival, Live } from '@causeway/core/chain'
import type { BitcoinNetwork } from '../address/networks.js'
import type { ReadBlock } from '../read/watch/cursor.js'
import { isGivenUp } from '../read/watch/dropped.js'
import { RecheckQueue } from '../read/watch/recheckQueue.js'
import type { BitcoinSource, BlockHeader, MempoolReading } from '../rpc/bitcoinSource.js'
import { inTurns } from '../rpc/inTurns.js'
import type { RawTransaction } from '../rpc/rawTransaction.js'
import type { SourcePool } from '../rpc/sourcePool.js'
import { arrivalsOf, receivedBy, waitingArrival } from './arrivals.js'
import type { WaitingArrival } from './waitingArrivals.js'

/** Waiting transactions that are remembered; what strangers send beyond is told when it is in a block. */
const MAX_WAITING = 1000
/** Rest of the mempool for each transaction that waits there, milliseconds: to list them costs as much as there are. */
const REST_FOR_EACH_MS = 1

/** Payments whose inputs are asked for at once. */
const AT_ONCE = 8

export interface ArrivalReaderDeps {
  readonly network: BitcoinNetwork
  readonly live: Live
  /** The nodes that are asked before a payment is given up; left out: just the one that is read. */
  readonly pool?: Pick<SourcePool, 'providers' | 'providerCount'>
}

/** Blocks to read whole: those above `last` up to `end`, while the node stands at `tip`. */
export interface WholeRange {
  readonly last: ReadBlock
  readonly end: ReadBlock
  readonly tip: BlockHeader
}

/** Payments that came, and those that still wait. */
export interface ArrivalsRead {
  readonly arrivals: readonly Arrival[]
  readonly waiting: ReadonlyMap<string, WaitingArrival>
}

/**
 * Reads what comes to live addresses in whole blocks and in the mempool, as a part of a step of the watcher. It costs the same whatever the
 * number of addresses: what is asked for does not depend on them, but for the inputs of a payment that was found.
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

  /** Payments that wait now; null where they were listed a moment ago. */
  async mempool(source: BitcoinSource): Promise<MempoolReading | null> {
    if (performance.now() < this.#mempoolAt) return null
    const reading = await source.mempool(this.#looked)
    this.#mempoolAt = performance.now() + reading.ids.length * REST_FOR_EACH_MS
    return reading
  }

  /** `waiting`: what was waiting before. Null when the chain changed while it was read: nothing is learned then. */
  async read(
    source: BitcoinSource,
    range: WholeRange,
    before: { readonly waiting: ReadonlyMap<string, WaitingArrival>; readonly mempool: MempoolReading | null },
  ): Promise<ArrivalsRead | null> {
    const { mempool } = before
    const { tip } = range
    const waiting = new Map(before.waiting)
    const included = await this.#readBlocks(source, range, waiting)
    if (included === null) return null
    const arrivals = [...included]
    if (mempool !== null) {
      arrivals.push(...(await this.#look(source, mempool.read, tip, waiting)))
      arrivals.push(...(await this.#recheckSome(source, mempool.ids, tip, waiting)))
      const looked = new Set(mempool.read.map(({ id }) => id))
      this.#looked = new Set(mempool.ids.filter((id) => looked.has(id) || this.#looked.has(id)))
    }
    return { arrivals, waiting }
  }

  /** Payments that still wait when the blocks above a height have left the chain. */
  rewound(waiting: ReadonlyMap<string, WaitingArrival>, to: bigint): ReadonlyMap<string, WaitingArrival> {
    this.#mempoolAt = Number.NEGATIVE_INFINITY
    return new Map([...waiting].filter(([, { spendableAt, since }]) => spendableAt === null || since <= to))
  }

  /** Each block hangs on the one before: they are of the chain that is remembered. Null where one does not. */
  async #readBlocks(
    source: BitcoinSource,
    { last, end, tip }: WholeRange,
    waiting: Map<string, WaitingArrival>,
  ): Promise<readonly Arrival[] | null> {
    const { network, live } = this.#deps
    const arrivals: Arrival[] = []
    let before = last.hash
    if (end.height > last.height) {
      for await (const { block, transactions } of source.wholeBlocks({ from: last.height + 1n, to: end.height })) {
        if (block.previousHash !== before) return null
        before = block.hash
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
    return before === end.hash ? arrivals : null
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
    return this.#queue.recheck(departed, async ({ txId }) => {
      const missed = waiting.get(txId)
      const told = missed === undefined ? [] : await this.#recheck(source, missed)
      if (told.length > 0) waiting.delete(txId)
      return told
    })
  }

  async #recheck(source: BitcoinSource, missed: WaitingArrival): Promise<readonly Arrival[]> {
    const transaction = await source.transaction(missed.txId)
    if (transaction !== null) {
      return missed.spendableAt === null || transaction.block === null ? [] : arrivalsOf(missed, transaction.block)
    }
    return (await isGivenUp(source, missed, this.#deps.pool)) ? arrivalsOf(missed, null, 'dropped') : []
  }
}

/** With what their inputs spend, null for those that the node does not know. */
const withInputs = (source: BitcoinSource, transactions: readonly RawTransaction[]) =>
  inTurns(transactions, AT_ONCE, async (raw) => [raw, await source.transaction(raw.id)] as const)
