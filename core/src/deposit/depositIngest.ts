import type { Pool, PoolClient } from 'pg'
import { changeAddressBooks } from '../address/addressBooks.js'
import { applyArrivals } from '../address/arrivalIngest.js'
import { REQUOTE } from '../address/requotes.js'
import { addressOfDeposit, findWaitingArrivals, takeArrivals, type WaitingArrivals } from '../address/sweptArrivals.js'
import type { DepositEvent, DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { DirectExecution } from '../chain/swaps.js'
import { locatorMember } from '../chain/txLocator.js'
import type { Clock } from '../clock/clock.js'
import { type Lease, withLease } from '../database/leases.js'
import { SERVICE_CHANNEL, wakeLane, wakeRequotes } from '../database/notifier.js'
import { haveQuotesBeenDropped } from '../database/retention.js'
import { failpoint } from '../failpoint/failpoint.js'
import type { FastFillState } from '../fastFill/fastFill.js'
import { giveLateDeposits, holdFastFills, isAhead } from '../fastFill/holdFastFills.js'
import { type LedgerPosting, postLedger } from '../ledger/ledger.js'
import { depositPosting } from '../ledger/postings.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import { computeOnchainId } from '../order/computeOnchainId.js'
import { changeStatuses, type StatusChange } from '../request/changeStatus.js'
import { saveDepositedAmounts } from '../request/depositedAmounts.js'
import { noteCandidates } from '../request/direct/directQuotes.js'
import { noteDirectTransactions } from '../request/direct/directTransactions.js'
import { consumeOrders, insertRequests, type NewRequest } from '../request/insertRequests.js'
import { recordExecutions } from '../request/recordExecutions.js'
import { type RequestTx, saveRequestTxs, withDataOnce } from '../request/requestTxs.js'
import { traceTime } from '../telemetry/traceTime.js'
import type { TransferObserver } from '../telemetry/transferObserver.js'
import { haltIfDeep, type Reorganization } from './chainHalt.js'
import { classifyDeposit, type DepositClass, isOwnDeposit } from './classifyDeposit.js'
import { DepositReorg } from './depositReorg.js'
import { requestOfDeposit, transferOf } from './depositRequest.js'
import {
  depositMoves,
  findDeposits,
  findOrders,
  insertDeposits,
  type KnownOrder,
  type NewDeposit,
  type StoredDeposit,
} from './depositStore.js'
import {
  decideIncluded,
  type MempoolDeposit,
  recordDropped,
  recordMempoolDeposits,
  recordReturned,
  settleMempoolDeposits,
} from './mempoolDeposits.js'
import { type PagePart, partsOf } from './pageParts.js'

interface IngestDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly currencies: CurrencyRegistry
  readonly observer?: TransferObserver
  /** Days after which quotes are dropped that nobody paid. */
  readonly quoteDays: number
  /** Whether deposits may become balances of wallets; default: no. */
  readonly keepsBalances?: boolean
}

/** A fresh deposit and what it becomes. */
interface Classified {
  readonly event: DepositEvent
  readonly fate: DepositClass
  readonly request: NewRequest | null
  /** It consumes an order that has a fast fill: while that stands so its request does not move with it. */
  readonly fastFill?: FastFillState
  /** The address that it was swept from; null for a deposit that the user made. */
  readonly addressId: string | null
  /** It came by a call that we sent for the user. */
  readonly executed?: boolean
}

interface Recorded extends Classified {
  readonly depositId: string
}

const keyOf = (deposit: { readonly tx: { readonly id: string }; readonly position: number }): string =>
  `${deposit.tx.id}:${deposit.position}`

/** A page, or one of the parts that it is stored in. */
interface Part extends PagePart {
  readonly chain: Chain
  readonly page: WatchPage
  readonly rewoundTo: bigint | null
  readonly evidence: readonly DepositEvidence[]
  readonly reorg: Reorganization | null
  /** Orders that a deposit of the page pays, in whichever part. */
  readonly paid: ReadonlySet<Hex | null>
  /** With the last part the cursor moves on. */
  readonly isLast: boolean
}

/**
 * Applies pages of a chain's watcher: what came to addresses, deposits, what users executed alone, their requests and the cursor in one
 * transaction (architecture.md 3, step 2). A page with very many of them takes several, of which the last moves the cursor: what a crash
 * leaves half done is read again and changes nothing twice.
 */
export class DepositIngest {
  readonly #deps: IngestDeps
  /** When the cursor of a chain was written whole, by the lease that wrote it. */
  readonly #cursors = new Map<number, { readonly at: number; readonly lease: Lease }>()

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  /**
   * Applying a page twice changes nothing. `evidence` answers for the stored deposits above a rewind, `reorg` tells how deep that
   * went; true when the chain is halted by it. Throws LeaseLostError when another host watches this chain now.
   */
  async apply(
    chain: Chain,
    page: WatchPage,
    evidence: readonly DepositEvidence[],
    lease: Lease,
    reorg: Reorganization | null = null,
  ): Promise<boolean> {
    const parts = partsOf(page)
    const paid = new Set(page.deposits.filter(({ state }) => state === 'included').map(({ orderId }) => orderId))
    let halted = false
    for (const [at, some] of parts.entries()) {
      const { rewoundTo } = page
      const first = at === 0 ? { rewoundTo, evidence, reorg } : { rewoundTo: null, evidence: [], reorg: null }
      const part = { chain, page, ...some, ...first, paid, isLast: at === parts.length - 1 }
      if (await this.#applyPart(part, lease)) halted = true
    }
    return halted
  }

  /** One transaction, which must be short against the life of the lease (faults.md F132). */
  async #applyPart(part: Part, lease: Lease): Promise<boolean> {
    const { chain, page, arrivals, deposits, reorg, isLast } = part
    const now = this.#deps.clock.now()
    const startedAt = traceTime()
    const carries = { arrivals: arrivals.length > 0, deposits: deposits.length > 0 }
    const whole = part.evidence.length > 0 || !isQuiet(page) || this.#isCursorDue(chain, lease)
    if (carries.arrivals) await failpoint('arrivals.commit.before')
    if (carries.deposits) await failpoint('deposit.commit.before')
    const { fresh, halted } = await withLease(this.#deps.pool, lease, async (client) => {
      await applyArrivals(client, chain, part, now)
      const recorded = await this.#applyDeposits(client, part, now)
      await Promise.all([
        this.#follow(client, chain, recorded, now),
        ...(isLast ? [this.#direct(client, chain, page, now), saveCursor(client, chain, page, { now, whole })] : []),
      ])
      return { fresh: recorded, halted: reorg !== null && (await haltIfDeep(client, chain, reorg, now)) }
    })
    if (whole && isLast) this.#cursors.set(chain.config.id, { at: performance.now(), lease })
    if (carries.arrivals) await failpoint('arrivals.commit.after')
    if (carries.deposits) await failpoint('deposit.commit.after')
    this.#deps.observer?.deposits(chain.config.id, fresh.map(toSeen), startedAt)
    return halted
  }

  #isCursorDue({ config }: Chain, lease: Lease): boolean {
    const written = this.#cursors.get(config.id)
    return written === undefined || written.lease !== lease || performance.now() - written.at >= CURSOR_MS
  }

  /** What users executed alone: finished at once where it is deep enough already, else looked at again, as is what only names a request. */
  async #direct(client: PoolClient, chain: Chain, page: WatchPage, now: number): Promise<void> {
    const { executions = [], candidates = [], tip } = page
    await noteCandidates(client, chain.config.id, candidates, now)
    if (executions.length === 0) return
    const needed = BigInt(chain.config.confirmations.success)
    const isDeep = ({ block }: DirectExecution): boolean => tip - block.height + 1n >= needed
    const shallow = executions.filter((execution) => !isDeep(execution))
    const noted = shallow.map(({ requestId, tx }) => ({ requestId, txId: tx.id, ...locatorMember(tx) }))
    await Promise.all([
      recordExecutions(client, chain, executions.filter(isDeep), now),
      noteDirectTransactions(client, { chainId: chain.config.id }, noted, now),
    ])
  }

  async #applyDeposits(
    client: PoolClient,
    { chain, page, deposits: events, evidence, paid }: Part,
    now: number,
  ): Promise<Recorded[]> {
    if (events.length === 0 && evidence.length === 0) return []
    const orderIds = [...new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))]
    const [stored, ahead, found] = await Promise.all([
      findDeposits(client, chain.config.id, [...new Set([...events, ...evidence].map(({ tx }) => tx.id))]),
      holdFastFills(client, orderIds),
      findOrders(client, orderIds),
    ])
    const known = new Map(stored.map((deposit) => [`${deposit.txId}:${deposit.position}`, deposit]))
    const reorg = new DepositReorg({ client, chain, now })
    for (const item of evidence) {
      const deposit = known.get(keyOf(item))
      if (deposit !== undefined && !(await isReadLater(client, deposit, item, page))) await reorg.apply(deposit, item)
    }
    const fresh = new Map<string, DepositEvent>()
    for (const event of events) {
      if (event.state !== 'included') continue
      const deposit = known.get(keyOf(event))
      if (deposit === undefined) fresh.set(keyOf(event), event)
      else await reorg.seen(deposit, event)
    }
    // A reorg may have freed or taken orders since they were read.
    const orders = stored.length === 0 ? found : await findOrders(client, orderIds)
    const waiting = events.filter((event) => event.state === 'seen' && !known.has(keyOf(event)))
    const droppedAfterDays = await this.#droppedAfterDays(client, [...fresh.values()], orders)
    const swept = await findWaitingArrivals(client, chain.config.id, addressOrders(orders))
    await recordMempoolDeposits(this.#mempoolDeposits(chain, waiting, { orders, ahead, now }), { client, chain, now })
    const returned = events.flatMap((event) => {
      const deposit = event.state === 'seen' ? known.get(keyOf(event)) : undefined
      return deposit?.state === 'reorged' && deposit.outcome === null ? [deposit] : []
    })
    await recordReturned(returned, { client, chain, now })
    const dropped = events.filter(({ state }) => state === 'dropped')
    await recordDropped(dropped, orders, paid, { client, chain, now })
    return this.#insertFresh(
      client,
      chain,
      this.#classify(chain, [...fresh.values()], { orders, ahead, droppedAfterDays, swept, now }),
      now,
    )
  }

  /** Asked only where a deposit names an order that nobody knows. */
  async #droppedAfterDays(
    client: PoolClient,
    events: readonly DepositEvent[],
    orders: ReadonlyMap<Hex, KnownOrder>,
  ): Promise<number | null> {
    if (events.every(({ orderId }) => orderId === null || orders.has(orderId))) return null
    return (await haveQuotesBeenDropped(client)) ? this.#deps.quoteDays : null
  }

  async #insertFresh(
    client: PoolClient,
    chain: Chain,
    classified: readonly Classified[],
    now: number,
  ): Promise<Recorded[]> {
    if (classified.length === 0) return []
    const deposits = classified.map(
      ({ event, fate, request }): NewDeposit => ({
        event,
        onchainId: computeOnchainId(chain.config.slug, event.tx.id, event.index),
        requestId: request?.terms.requestId ?? null,
        parkedReason: fate.kind === 'parked' ? fate.reason : null,
        holder: fate.kind === 'balance' ? fate.wallet : null,
      }),
    )
    const requests = classified.flatMap(({ request }) => (request === null ? [] : [request]))
    const [, ids] = await Promise.all([
      insertRequests(client, requests, now),
      insertDeposits(client, chain.config.id, deposits, now),
    ])
    return classified.map((item, index) => ({ ...item, depositId: ids[index] ?? '' }))
  }

  /** What follows from new deposits: their orders are taken, the books, the records and the lanes hear of them. */
  async #follow(client: PoolClient, chain: Chain, recorded: readonly Recorded[], now: number): Promise<void> {
    const orders = recorded.flatMap(({ event, fate, depositId }) =>
      fate.kind === 'fillable' && event.orderId !== null ? [{ orderId: event.orderId, depositId }] : [],
    )
    const postings = recorded.map(({ event, fate, depositId }) => posting(chain, event, fate, depositId))
    const txs = withDataOnce(recorded.flatMap(({ event, request }) => toRequestTx(chain, event, request)))
    const changes = recorded.flatMap(({ fate, request, fastFill }) =>
      request === null || isAhead(fastFill) ? [] : [toPending(request, fate, now)],
    )
    const depositing = recorded.flatMap(({ request, executed }) =>
      request === null || executed !== true || request.parent !== null ? [] : [toDepositing(request, now)],
    )
    const swept = recorded.flatMap(({ addressId, depositId, event: { money, block } }) =>
      addressId === null
        ? []
        : [{ addressId, depositId, currency: money.currency, height: block?.height ?? 0n, amount: money.amount }],
    )
    const otherAmounts = recorded.flatMap(({ event, request, depositId }) =>
      request === null || request.parent !== null || request.terms.depositAmount === event.money.amount
        ? []
        : [depositId],
    )
    const destinations = new Set(recorded.flatMap(({ request }) => request?.terms.destination.chainId ?? []))
    await Promise.all([
      consumeOrders(client, orders),
      postLedger(client, postings, now),
      saveRequestTxs(client, txs, now),
      saveDepositedAmounts(client, otherAmounts),
      // Whether the watcher or the lane comes first to the block of its call: the request passes `depositing`.
      changeStatuses(client, depositing, now),
      changeStatuses(client, changes, now),
      decideIncluded(
        client,
        changes.map(({ requestId }) => requestId),
        now,
      ),
      settleMempoolDeposits(
        client,
        chain,
        recorded.map(({ event }) => event),
      ),
      changeAddressBooks(
        client,
        swept.map(({ amount, ...item }) => ({ ...item, chainId: chain.config.id, swept: amount })),
        now,
      ),
      takeArrivals(client, swept),
      giveLateDeposits(
        client,
        recorded.flatMap(({ request, fastFill }) =>
          request === null || fastFill === undefined ? [] : [request.terms.requestId],
        ),
      ),
      ...(recorded.some(({ fate }) => fate.kind === 'fresh') ? [wakeRequotes(client)] : []),
      ...[...destinations].map((chainId) => wakeLane(client, chainId)),
    ])
  }

  /** Deposits in the mempool that would pay an order which nothing paid so far. */
  #mempoolDeposits(
    chain: Chain,
    events: readonly DepositEvent[],
    orders: Pick<Known, 'orders' | 'ahead' | 'now'>,
  ): MempoolDeposit[] {
    // Each for itself: which of several comes first is not known before a block says it.
    const known = { ...orders, droppedAfterDays: null, swept: new Map() }
    const all = events.flatMap((event) => this.#classify(chain, [event], known))
    return all.flatMap(({ event, fate, request, fastFill }) =>
      fate.kind === 'fillable' && request !== null && !isAhead(fastFill) ? [{ event, request }] : [],
    )
  }

  #classify(
    chain: Chain,
    events: readonly DepositEvent[],
    { orders, ahead, droppedAfterDays, swept, now }: Known,
  ): Classified[] {
    const taken = new Set<Hex>()
    return events.map((event) => {
      const order = event.orderId === null ? undefined : orders.get(event.orderId)
      const fate = classifyDeposit(event, {
        chainId: chain.config.id,
        terms: order?.terms ?? null,
        consumed: order?.consumed === true || (event.orderId !== null && taken.has(event.orderId)),
        own: isOwnDeposit(chain, event),
        refundable: this.#deps.currencies.find(chain.config.id, event.money.currency) !== undefined,
        droppedAfterDays,
        now,
        announced: order?.announced === true,
        keepsBalances: this.#deps.keepsBalances === true,
      })
      const isTaken = event.orderId !== null && taken.has(event.orderId)
      if (fate.kind === 'fillable' && event.orderId !== null) taken.add(event.orderId)
      if (order === undefined || event.orderId === null) return { event, fate, request: null, addressId: null }
      const arrived = swept.get(event.orderId)
      const known = { ...order, consumed: order.consumed || isTaken }
      return {
        event,
        fate,
        request: requestOfDeposit(chain, event, fate, known, transferOf(event, arrived)),
        ...(fate.kind === 'fillable' ? fastFillOf(ahead.get(event.orderId)) : {}),
        addressId: arrived?.addressId ?? null,
        executed: order.executed,
      }
    })
  }
}

/**
 * A deposit that a sweep made, and that is back above what was read: what the sweep took is told again as the reading comes there, and the
 * deposit with it.
 */
const isReadLater = async (
  client: PoolClient,
  deposit: StoredDeposit,
  { deposit: shown }: DepositEvidence,
  { height }: WatchPage,
): Promise<boolean> =>
  deposit.state !== 'included' &&
  (shown?.block?.height ?? 0n) > height &&
  (await addressOfDeposit(client, deposit.id)) !== null

const fastFillOf = (fastFill: FastFillState | undefined): Pick<Classified, 'fastFill'> =>
  fastFill === undefined ? {} : { fastFill }

const toSeen = ({ event, fate, request }: Classified) => ({
  txId: event.tx.id,
  requestId: request?.terms.requestId ?? null,
  result: fate.kind,
})

/**
 * How often the cursor is written while nothing comes. It is long (blocks seen, to find where a reorg began), and a watcher that
 * reads a little again finds what it found: nothing.
 */
const CURSOR_MS = 60_000

const isQuiet = ({ arrivals = [], deposits, executions = [], candidates = [], rewoundTo }: WatchPage): boolean =>
  arrivals.length + deposits.length + executions.length + candidates.length === 0 && rewoundTo === null

const saveCursor = async (
  client: PoolClient,
  chain: Chain,
  page: WatchPage,
  { now, whole }: { readonly now: number; readonly whole: boolean },
): Promise<void> => {
  const values = [chain.config.id, JSON.stringify(page.cursor), page.height.toString(), page.tip.toString(), now, whole]
  // An update alone writes half of what `on conflict` does, at every block.
  const { rowCount } = await client.query({ ...MOVE_CURSOR, values })
  if (rowCount === 0) await client.query({ ...FIRST_CURSOR, values: values.slice(0, -1) })
}

const MOVE_CURSOR = {
  name: 'cursor_move',
  text: `update chain_cursors set cursor = case when $6 then $2 else cursor end, height = $3, arrivals_height = $3, tip = $4,
    updated_at = to_timestamp($5 / 1000.0) where chain_id = $1`,
}

/** The first page of a chain; its lease excludes another watcher. The chain takes quotes from then on. */
const FIRST_CURSOR = {
  name: 'cursor_save',
  text: `with first as (insert into chain_cursors (chain_id, cursor, height, arrivals_height, tip, updated_at)
      values ($1, $2, $3, $3, $4, to_timestamp($5 / 1000.0)) returning chain_id)
    select pg_notify('${SERVICE_CHANNEL}', chain_id::text) from first`,
}

/** What a page is classified with. */
interface Known {
  readonly orders: ReadonlyMap<Hex, KnownOrder>
  readonly ahead: ReadonlyMap<Hex, FastFillState>
  readonly droppedAfterDays: number | null
  readonly swept: ReadonlyMap<Hex, WaitingArrivals>
  readonly now: number
}

const addressOrders = (orders: ReadonlyMap<Hex, KnownOrder>): readonly Hex[] =>
  [...orders].flatMap(([orderId, { terms }]) => (terms.address === undefined ? [] : [orderId]))

const posting = (chain: Chain, event: DepositEvent, fate: DepositClass, id: string): LedgerPosting =>
  depositPosting({
    id,
    inclusion: 1,
    parked: fate.kind === 'parked',
    chainId: chain.config.id,
    currency: event.money.currency,
    amount: event.money.amount,
  })

const toRequestTx = (chain: Chain, event: DepositEvent, request: NewRequest | null): RequestTx[] =>
  request === null
    ? []
    : [
        {
          requestId: request.terms.requestId,
          direction: 'in',
          purpose: 'deposit',
          chainId: chain.config.id,
          txId: event.tx.id,
          ...locatorMember(event.tx),
          position: event.position,
          block: event.block,
          fee: event.fee,
          status: 'success',
          data: event.txData,
          moves: depositMoves(event),
          reorg: null,
        },
      ]

const toDepositing = (request: NewRequest, now: number): StatusChange => ({
  requestId: request.terms.requestId,
  to: 'depositing',
  next: { action: 'await-deposit', at: now },
})

const toPending = (request: NewRequest, fate: DepositClass, now: number): StatusChange => ({
  requestId: request.terms.requestId,
  to: 'pending',
  next: { action: fate.kind === 'fresh' ? REQUOTE : 'decide', at: now },
})
