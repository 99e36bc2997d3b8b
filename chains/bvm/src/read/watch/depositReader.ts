import { larger, smaller } from '@causeway/core'
import type { BlockRef, DepositEvent, Live, WatchPage } from '@causeway/core/chain'
import { depositEvent, type SeenDeposit } from '../../deposit/depositEvent.js'
import { type DepositRules, readDeposits } from '../../deposit/readDeposits.js'
import { ArrivalReader, type ArrivalsRead } from '../../depositAddress/arrivalReader.js'
import type { BitcoinSource, BlockHeader, WatchedScript } from '../../rpc/bitcoinSource.js'
import type { ChainTransaction } from '../../rpc/chainTransaction.js'
import type { SourcePool } from '../../rpc/sourcePool.js'
import { commonHeight, firstBlock } from './commonHeight.js'
import { type Candidate, type Cursor, candidateKey, encodeCursor, MAX_BLOCKS } from './cursor.js'
import { isGivenUp } from './dropped.js'
import { RecheckQueue } from './recheckQueue.js'

/** Blocks of one page near the tip, where blocks may be replaced: the cursor remembers the last block of each page. */
const NEAR_BLOCKS = 20n
/** Blocks of one page where each is read whole. */
const WHOLE_BLOCKS = 12n
/** Blocks before new ones that are read again: behind one address a node that lacks the newest may have told the history. */
const READ_AGAIN = 2n

const NOTHING: ArrivalsRead = { arrivals: [], waiting: new Map() }

export interface DepositReaderDeps {
  readonly rules: DepositRules
  /** The depository's address with its script. */
  readonly watched: WatchedScript
  readonly live: Live
  /** The nodes that are asked before a deposit is given up; left out: just the one that is read. */
  readonly pool?: Pick<SourcePool, 'providers' | 'providerCount'>
}

/** A step of reading: where it led and what it found. */
export interface ReadStep {
  readonly cursor: Cursor
  readonly page: WatchPage
  /** More blocks wait. */
  readonly behind: boolean
}

/**
 * Reads deposits in blocks and in the mempool, and while an address is live what comes to addresses, one step at a time, each of one node.
 */
export class DepositReader {
  readonly #deps: DepositReaderDeps
  readonly #arrivals: ArrivalReader
  readonly #queue = new RecheckQueue()
  /** Deposits in the newest blocks, by transaction, that were told; after a restart they are told again, as they may be. */
  readonly #told = new Map<string, BlockRef>()

  constructor(deps: DepositReaderDeps) {
    this.#deps = deps
    this.#arrivals = new ArrivalReader({ ...deps, network: deps.rules.network })
  }

  /** A cursor from which `startHeight` is read first, or, without one, the block after the tip. */
  async begin(source: BitcoinSource, startHeight: bigint | null): Promise<Cursor> {
    return { blocks: [await firstBlock(source, startHeight)], candidates: new Map(), waiting: new Map() }
  }

  /** Null when the node is behind, or its chain changed while it was read: nothing is learned then. */
  async step(source: BitcoinSource, cursor: Cursor): Promise<ReadStep | null> {
    const tip = await source.tip()
    const last = cursor.blocks.at(-1)
    if (last === undefined) throw new Error('A cursor without a block.')
    const common = await commonHeight(source, cursor.blocks, tip)
    if (common === null) return null
    if (common < last.height) return this.#rewind(source, cursor, { to: common, tip })
    const { watched, live } = this.#deps
    const isWhole = live.size > 0
    const to = isWhole ? smaller(common + WHOLE_BLOCKS, tip.height) : pageEnd(common, tip.height, source.pageBlocks)
    const end = to === tip.height ? tip : await source.blockAt(to)
    if (end === null) return null
    const mempool = isWhole && to === tip.height ? await this.#arrivals.mempool(source) : null
    // What lies in the blocks up to this one, or waits now, was paid to addresses that are live after this.
    await live.refresh()
    if (live.size > 0 !== isWhole) return this.step(source, cursor)
    // Never before where reading began.
    const from = larger(common + 1n - READ_AGAIN, (cursor.blocks[0] ?? last).height + 1n)
    const payments = to > common ? await source.history(watched, { from, to }) : []
    const waiting = to === tip.height ? await source.waiting(watched) : []
    // A hash commits to all blocks below: what was read in between is of this chain, and waits beside it.
    const isNew = to > common || waiting.some(({ id }) => !cursor.candidates.has(id))
    if (isNew && (await source.blockAt(to))?.hash !== end.hash) return null
    const came = isWhole ? await this.#arrivals.read(source, { last, end, tip }, { ...cursor, mempool }) : NOTHING
    if (came === null) return null
    const found = await this.#tell(source, cursor, { payments, waiting, tip, to })
    const blocks = to > common ? [...cursor.blocks, { height: to, hash: end.hash }].slice(-MAX_BLOCKS) : cursor.blocks
    this.#remember(found.events, to)
    const next = { blocks, candidates: found.candidates, waiting: came.waiting }
    const told = { deposits: found.events, arrivals: came.arrivals }
    const page = { ...told, cursor: encodeCursor(next), height: to, tip: tip.height, rewoundTo: null }
    return { cursor: next, page, behind: to < tip.height }
  }

  async #rewind(
    source: BitcoinSource,
    { blocks, candidates, waiting }: Cursor,
    { to, tip }: { readonly to: bigint; readonly tip: BlockHeader },
  ): Promise<ReadStep | null> {
    const kept = blocks.filter(({ height }) => height <= to)
    const lost = blocks.filter(({ height }) => height > to)
    const replaced = (lost.at(-1)?.height ?? to) - (lost[0]?.height ?? to) + 1n
    // Everything that is remembered left the chain: reading goes on from the node's own block below.
    const block = kept.length > 0 ? null : await source.blockAt(to)
    if (kept.length === 0 && block === null) return null
    for (const [id, { height }] of this.#told) if (height > to) this.#told.delete(id)
    const next = {
      blocks: block === null ? kept : [{ height: to, hash: block.hash }],
      candidates: new Map([...candidates].filter(([, { spendableAt, since }]) => spendableAt === null || since <= to)),
      waiting: this.#arrivals.rewound(waiting, to),
    }
    const page = { deposits: [], cursor: encodeCursor(next), height: to, tip: tip.height, rewoundTo: to, replaced }
    return { cursor: next, page, behind: true }
  }

  #remember(events: readonly DepositEvent[], to: bigint): void {
    for (const { tx, block } of events) if (block !== null) this.#told.set(tx.id, block)
    for (const [id, { height }] of this.#told) if (height <= to - READ_AGAIN) this.#told.delete(id)
  }

  async #tell(source: BitcoinSource, cursor: Cursor, read: ReadRound) {
    const { watched } = this.#deps
    const candidates = new Map(cursor.candidates)
    const events: DepositEvent[] = []
    for (const seen of this.#depositsOf(read.payments)) {
      const { transaction, deposit } = seen
      const key = keyOf(seen)
      candidates.delete(key)
      if (transaction.block !== null && this.#told.get(transaction.id)?.hash === transaction.block.hash) continue
      const height = transaction.block?.height ?? read.to
      const spendableAt = height + deposit.leastConfirmations - 1n
      if (spendableAt <= read.tip.height) events.push(depositEvent(seen, watched.address))
      else candidates.set(key, candidateOf(seen, height, spendableAt))
    }
    for (const seen of this.#depositsOf(read.waiting)) {
      if (candidates.has(keyOf(seen))) continue
      candidates.set(keyOf(seen), candidateOf(seen, read.tip.height, null))
      events.push(depositEvent(seen, watched.address))
    }
    if (read.to < read.tip.height) return { candidates, events }
    const shown = new Set(read.waiting.map(({ id }) => id))
    const departed = [...cursor.candidates.values()].filter((candidate) => {
      const { txId, spendableAt } = candidate
      const counts = spendableAt === null || spendableAt <= read.tip.height
      return counts && !shown.has(txId) && candidates.has(candidateKey(candidate))
    })
    for (const event of await this.#queue.recheck(departed, (candidate) => this.#recheck(source, candidate))) {
      candidates.delete(candidateKey({ txId: event.tx.id, position: event.position }))
      events.push(event)
    }
    return { candidates, events }
  }

  /** What became of a candidate that is not in the mempool any more; nothing when nothing is certain. */
  async #recheck(source: BitcoinSource, candidate: Candidate): Promise<readonly DepositEvent[]> {
    const { txId, spendableAt } = candidate
    const transaction = await source.transaction(txId)
    if (transaction !== null) {
      // A node may list only some of what waits: while it is in no block nothing became of it.
      const found = spendableAt === null || transaction.block === null ? [] : this.#depositsOf([transaction])
      return found.map((seen) => depositEvent(seen, this.#deps.watched.address))
    }
    return (await isGivenUp(source, candidate, this.#deps.pool)) ? [this.#dropped(candidate)] : []
  }

  #dropped({ txId, ...deposit }: Candidate): DepositEvent {
    const transaction = { id: txId, inputs: [], outputs: [], block: null }
    const seen = { transaction, deposit: { ...deposit, owner: null, leastConfirmations: 1n } }
    return { ...depositEvent(seen, this.#deps.watched.address, 'dropped'), fee: 0n }
  }

  #depositsOf(transactions: readonly ChainTransaction[]): readonly SeenDeposit[] {
    return transactions.flatMap((transaction) =>
      readDeposits(transaction, this.#deps.rules).map((deposit) => ({ transaction, deposit })),
    )
  }
}

/** Far pages where the node is good at them, but short ones among the blocks that a reorganization may take. */
const pageEnd = (from: bigint, tip: bigint, far: bigint): bigint => {
  const settled = tip - BigInt(MAX_BLOCKS)
  const long = from + far < settled ? from + far : settled
  const short = from + NEAR_BLOCKS < tip ? from + NEAR_BLOCKS : tip
  return long > short ? long : short
}

interface ReadRound {
  readonly payments: readonly ChainTransaction[]
  readonly waiting: readonly ChainTransaction[]
  readonly tip: BlockHeader
  readonly to: bigint
}

const candidateOf = ({ transaction, deposit }: SeenDeposit, since: bigint, spendableAt: bigint | null): Candidate => {
  const { position, orderId, amount, depositor, index, spent } = deposit
  return { txId: transaction.id, position, orderId, amount, depositor, index, spent, since, spendableAt }
}

const keyOf = ({ transaction, deposit }: SeenDeposit): string =>
  candidateKey({ txId: transaction.id, position: deposit.position })
