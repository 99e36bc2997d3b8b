import type { Live } from '../../chain/address/depositAddresses.js'
import type { ChainAdapter, WatchPage } from '../../chain/chainAdapter.js'
import type { ChainDeps } from '../../chain/chainPackage.js'
import type { BlockRef, TxRef } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import { ServiceError } from '../../errors/serviceError.js'
import { larger } from '../../money/compare.js'
import type { ArrivalsIn } from '../arrivals/accountArrivals.js'
import type { ChainReading } from '../deposit/chainReading.js'
import type { EvidenceWords } from '../deposit/depositEvidence.js'
import { DepositLookup, type DepositLookupDeps, type LookupEndpoint } from '../deposit/depositLookup.js'
import type { HeadPace } from '../endpoints/monitor/headPace.js'
import { HeadFollower } from '../heads/headFollower.js'
import { WakeSignal } from '../heads/wakeSignal.js'
import { askInOrder, type OrderedNodes } from '../quorum/askInOrder.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import type { QuietPace } from '../watch/quietPages.js'
import { watchLoop } from '../watch/watchLoop.js'
import { LedgerAgain } from './ledgerAgain.js'
import { cursorJson, readCursor } from './ledgerCursor.js'
import { blockAt, LedgerReader } from './ledgerReader.js'
import type { LedgerSource } from './ledgerSource.js'

export interface IndexedLedgerDeps<Node extends LookupEndpoint, Transaction> {
  readonly source: LedgerSource<Node, Transaction>
  /** The nodes of the chain: `EndpointPool` and `JsonRpcClient` are such. */
  readonly pool: AskedProviders<Node> & OrderedNodes<Node>
  readonly monitor: DepositLookupDeps<Node>['monitor']
  /** The account that receives deposits. */
  readonly account: string
  /** How heads come, as the endpoints are compared by it too. */
  readonly pace: HeadPace
  readonly pollIntervalMs: number
  /** Whether a websocket tells of heads as they come (`heads.push`); absent: they are polled. */
  readonly isLive?: () => boolean
  /** `confirmations.settle`. */
  readonly settle: number
  /** Heights in one range, which is read as a whole or again; 500 if absent. */
  readonly range?: bigint
  /** What comes to deposit addresses; absent: there are none. */
  readonly arrivals?: ArrivalsIn<Node>
  /** The first height that a watcher without a cursor reads; absent: the one after the newest. */
  readonly startHeight?: bigint
  /** Least time between two readings of what has settled at another provider; 30 s if absent. */
  readonly againMs?: number
  /** How long every node may be behind what was read before it is read again, milliseconds; 30 s if absent. */
  readonly behindMs?: number
  /** How rarely pages without deposits are told; absent: each new height. */
  readonly quiet?: QuietPace
  /** What evidence is called; absent: as elsewhere. */
  readonly words?: EvidenceWords
  readonly logger: ChainDeps['logger']
}

/**
 * The reading side of a chain whose nodes list an account's transactions (xrpvm, hederavm, tonvm, hypevm, lvm): serves `watch`,
 * `recheckDeposits`, `confirmDeposit` and `findTransaction` of an adapter, which are bound, and follows the heads for its `tip`,
 * `onHead` and `poke`.
 */
export class IndexedLedger<Node extends LookupEndpoint, Transaction> {
  readonly heads: HeadFollower<BlockRef>
  /** Makes the watchers read now. */
  readonly wake = new WakeSignal()
  readonly recheckDeposits: ChainAdapter['recheckDeposits']
  readonly confirmDeposit: ChainAdapter['confirmDeposit']
  readonly findTransaction: ChainAdapter['findTransaction']
  readonly #deps: IndexedLedgerDeps<Node, Transaction>
  readonly #again: LedgerAgain<Node, Transaction>

  constructor(deps: IndexedLedgerDeps<Node, Transaction>) {
    const { source, pool, monitor, settle, words, pace, pollIntervalMs, isLive, logger } = deps
    this.#deps = deps
    this.#again = new LedgerAgain(deps)
    const read = () => askInOrder(pool, (node) => source.head(node))
    this.heads = new HeadFollower({ read, pace, pollIntervalMs, logger, ...(isLive === undefined ? {} : { isLive }) })
    this.heads.onHead(() => this.wake.hint())
    const lookup = new DepositLookup<Node>({
      pool,
      monitor,
      settle,
      ...(words === undefined ? {} : { words }),
      read: (txs, node) => this.#read(txs, node),
      ...(source.block === undefined ? {} : { hold: (blocks, node) => this.#hold(blocks, node) }),
    })
    this.recheckDeposits = lookup.recheckDeposits
    this.confirmDeposit = lookup.confirmDeposit
    this.findTransaction = lookup.findTransaction
  }

  /** Reads from a stored cursor on (null: from `startHeight`, or the newest height) until the signal aborts. */
  readonly watch = (cursor: Json, live: Live, signal: AbortSignal): AsyncIterable<WatchPage> => {
    const { pollIntervalMs, quiet, logger } = this.#deps
    const reader = new LedgerReader(this.#deps, live)
    return watchLoop(signal, {
      begin: async () => (cursor === null ? this.#begin(reader) : readCursor(cursor)),
      step: async (at) => this.#again.after(await reader.step(at)),
      wake: this.wake,
      pollIntervalMs,
      ...(quiet === undefined ? {} : { quiet }),
      logger,
    })
  }

  /** Serves `cursorAt` of an adapter. */
  readonly cursorAt = async (height: bigint): Promise<Json> => cursorJson(await this.#before(height))

  async #begin(reader: LedgerReader<Node, Transaction>) {
    const { startHeight } = this.#deps
    return startHeight === undefined ? reader.begin() : this.#before(startHeight)
  }

  /** The cursor of what was read up to the height before. */
  async #before(first: bigint) {
    const { source, pool } = this.#deps
    const height = larger(first - 1n, 0n)
    if (source.block === undefined) return { height, checked: height, hash: null, part: null }
    const block = await askInOrder(pool, (node) => blockAt(source, node, height))
    return { height, checked: height, hash: block.hash, part: null }
  }

  #read(txs: readonly TxRef[], node?: Node): Promise<ChainReading> {
    return node === undefined
      ? askInOrder(this.#deps.pool, (first) => this.#readAt(first, txs, false))
      : this.#readAt(node, txs, true)
  }

  /** `exact`: a node that has forgotten what it is asked denies nothing, and is no answer. */
  async #readAt(node: Node, txs: readonly TxRef[], exact: boolean): Promise<ChainReading> {
    const { source } = this.#deps
    // The head first: the node has come at least so far when it is asked for the transactions.
    const { height } = await source.head(node)
    const found = await source.transactions(node, txs)
    if (exact && found.includes('forgotten')) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain no longer knows what a block held.')
    }
    const readings = txs.flatMap(({ id }, at) => {
      const transaction = found[at] ?? null
      return transaction === null || transaction === 'forgotten' ? [] : [[id, source.readingOf(transaction)] as const]
    })
    return { tip: height, complete: height, transactions: new Map(readings) }
  }

  #hold(blocks: readonly BlockRef[], node: Node): Promise<readonly boolean[]> {
    const { source } = this.#deps
    return Promise.all(
      blocks.map(async ({ height, hash }) => {
        const own = await source.block?.(node, height)
        // A node that is known to be behind may not have come so far.
        return own === null || own === undefined ? node.lateness !== 'none' : own.hash === hash
      }),
    )
  }
}
