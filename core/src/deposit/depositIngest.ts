import type { Pool, PoolClient } from 'pg'
import type { DepositEvent, DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { DirectExecution } from '../chain/swaps.js'
import type { Clock } from '../clock/clock.js'
import { type Lease, withLease } from '../database/leases.js'
import { wakeLane } from '../database/notifier.js'
import { failpoint } from '../failpoint/failpoint.js'
import { type LedgerPosting, postLedger } from '../ledger/ledger.js'
import { depositPosting } from '../ledger/postings.js'
import type { CurrencyRegistry } from '../money/currency.js'
import type { Hex } from '../money/hex.js'
import { computeOnchainId } from '../order/computeOnchainId.js'
import { changeStatuses, type StatusChange } from '../request/changeStatus.js'
import { noteDirectTransactions } from '../request/directTransactions.js'
import { childRequest, consumeOrders, insertRequests, type NewRequest } from '../request/insertRequests.js'
import { recordExecutions } from '../request/recordExecutions.js'
import { type RequestTx, saveRequestTxs } from '../request/requestTxs.js'
import { traceTime } from '../telemetry/traceTime.js'
import type { TransferObserver } from '../telemetry/transferObserver.js'
import { classifyDeposit, type DepositClass } from './classifyDeposit.js'
import { DepositReorg } from './depositReorg.js'
import { findDeposits, findOrders, insertDeposits, type KnownOrder, type NewDeposit } from './depositStore.js'
import {
  decideIncluded,
  type MempoolSight,
  recordDropped,
  recordReturned,
  recordSights,
  settleSights,
} from './mempoolSights.js'

interface IngestDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly currencies: CurrencyRegistry
  readonly observer?: TransferObserver
}

/** A fresh deposit and what it becomes. */
interface Classified {
  readonly event: DepositEvent
  readonly fate: DepositClass
  readonly request: NewRequest | null
}

interface Recorded extends Classified {
  readonly depositId: string
}

const keyOf = (deposit: { readonly tx: { readonly id: string }; readonly position: number }): string =>
  `${deposit.tx.id}:${deposit.position}`

/** Applies pages of a chain's watcher: deposits, direct executions, their requests and the cursor in one transaction (design 3, step 2). */
export class DepositIngest {
  readonly #deps: IngestDeps

  constructor(deps: IngestDeps) {
    this.#deps = deps
  }

  /**
   * Applying a page twice changes nothing. `evidence` answers for the stored deposits above a rewind. Throws LeaseLostError
   * when another host watches this chain now.
   */
  async apply(chain: Chain, page: WatchPage, evidence: readonly DepositEvidence[], lease: Lease): Promise<void> {
    const now = this.#deps.clock.now()
    const startedAt = traceTime()
    const carries = page.deposits.length > 0
    if (carries) await failpoint('deposit.commit.before')
    const fresh = await withLease(this.#deps.pool, lease, async (client) => {
      const recorded = await this.#applyDeposits(client, chain, page.deposits, evidence, now)
      await Promise.all([
        this.#follow(client, chain, recorded, now),
        this.#direct(client, chain, page, now),
        saveCursor(client, chain, page, now),
      ])
      return recorded
    })
    if (carries) await failpoint('deposit.commit.after')
    this.#deps.observer?.deposits(chain.config.id, fresh.map(toSeen), startedAt)
  }

  /** What users executed alone: finished at once where it is deep enough already, else looked at again. */
  async #direct(client: PoolClient, chain: Chain, { executions = [], tip }: WatchPage, now: number): Promise<void> {
    if (executions.length === 0) return
    const needed = BigInt(chain.config.confirmations.success)
    const isDeep = ({ block }: DirectExecution): boolean => tip - block.height + 1n >= needed
    const shallow = executions.filter((execution) => !isDeep(execution))
    const noted = shallow.map(({ requestId, tx }) => ({ requestId, txId: tx.id }))
    await Promise.all([
      recordExecutions(client, chain, executions.filter(isDeep), now),
      noteDirectTransactions(client, chain.config.id, noted, now),
    ])
  }

  async #applyDeposits(
    client: PoolClient,
    chain: Chain,
    events: readonly DepositEvent[],
    evidence: readonly DepositEvidence[],
    now: number,
  ): Promise<Recorded[]> {
    if (events.length === 0 && evidence.length === 0) return []
    const orderIds = [...new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))]
    const [stored, found] = await Promise.all([
      findDeposits(client, chain.config.id, [...new Set([...events, ...evidence].map(({ tx }) => tx.id))]),
      findOrders(client, orderIds),
    ])
    const known = new Map(stored.map((deposit) => [`${deposit.txId}:${deposit.position}`, deposit]))
    const reorg = new DepositReorg({ client, chain, now })
    for (const item of evidence) {
      const deposit = known.get(keyOf(item))
      if (deposit !== undefined) await reorg.apply(deposit, item)
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
    await recordSights(this.#sights(chain, waiting, orders), { client, chain, now })
    const returned = events.flatMap((event) => {
      const deposit = event.state === 'seen' ? known.get(keyOf(event)) : undefined
      return deposit?.state === 'reorged' && deposit.outcome === null ? [deposit] : []
    })
    await recordReturned(returned, { client, chain, now })
    const dropped = events.filter(({ state }) => state === 'dropped')
    const paid = new Set(events.filter(({ state }) => state === 'included').map(({ orderId }) => orderId))
    await recordDropped(dropped, orders, paid, { client, chain, now })
    return this.#insertFresh(client, chain, this.#classify(chain, [...fresh.values()], orders), now)
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
    const txs = recorded.flatMap(({ event, request }) => toRequestTx(chain, event, request))
    const changes = recorded.flatMap(({ request }) => (request === null ? [] : [toPending(request, now)]))
    const destinations = new Set(recorded.flatMap(({ request }) => request?.terms.destination.chainId ?? []))
    await Promise.all([
      consumeOrders(client, orders),
      postLedger(client, postings, now),
      saveRequestTxs(client, txs, now),
      changeStatuses(client, changes, now),
      decideIncluded(
        client,
        changes.map(({ requestId }) => requestId),
        now,
      ),
      settleSights(
        client,
        chain,
        recorded.map(({ event }) => event),
      ),
      ...[...destinations].map((chainId) => wakeLane(client, chainId)),
    ])
  }

  /** Deposits in the mempool that would pay an order which nothing paid so far. */
  #sights(chain: Chain, events: readonly DepositEvent[], orders: ReadonlyMap<Hex, KnownOrder>): MempoolSight[] {
    // Each for itself: which of several comes first is not known before a block says it.
    const all = events.flatMap((event) => this.#classify(chain, [event], orders))
    return all.flatMap(({ event, fate, request }) =>
      fate.kind === 'fillable' && request !== null ? [{ event, request }] : [],
    )
  }

  #classify(chain: Chain, events: readonly DepositEvent[], orders: ReadonlyMap<Hex, KnownOrder>): Classified[] {
    const taken = new Set<Hex>()
    return events.map((event) => {
      const order = event.orderId === null ? undefined : orders.get(event.orderId)
      const fate = classifyDeposit(event, {
        chainId: chain.config.id,
        terms: order?.terms ?? null,
        consumed: order?.consumed === true || (event.orderId !== null && taken.has(event.orderId)),
        refundable: this.#deps.currencies.find(chain.config.id, event.money.currency) !== undefined,
      })
      if (fate.kind === 'fillable' && event.orderId !== null) taken.add(event.orderId)
      return { event, fate, request: order === undefined ? null : toRequest(chain, event, fate, order.terms) }
    })
  }
}

const toSeen = ({ fate, request }: Classified) => ({
  requestId: request?.terms.requestId ?? null,
  result: fate.kind,
})

const saveCursor = async (client: PoolClient, chain: Chain, page: WatchPage, now: number): Promise<void> => {
  await client.query({
    name: 'cursor_save',
    text: `insert into chain_cursors (chain_id, cursor, height, tip, updated_at) values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
      on conflict (chain_id) do update set cursor = excluded.cursor, height = excluded.height, tip = excluded.tip,
        updated_at = excluded.updated_at`,
    values: [chain.config.id, JSON.stringify(page.cursor), page.height.toString(), page.tip.toString(), now],
  })
}

/** The quote's own request, or a child with the deposit's own chain, currency and amount. */
const toRequest = (
  chain: Chain,
  event: DepositEvent,
  fate: DepositClass,
  terms: KnownOrder['terms'],
): NewRequest | null => {
  if (fate.kind === 'parked') return null
  if (fate.kind === 'fillable') return { terms, parent: null, refundReason: null }
  return childRequest(terms, fate.reason, { chainId: chain.config.id, ...event.money })
}

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
          position: event.position,
          block: event.block,
          fee: event.fee,
          status: 'success',
          data: event.txData,
          reorg: null,
        },
      ]

const toPending = (request: NewRequest, now: number): StatusChange => ({
  requestId: request.terms.requestId,
  to: 'pending',
  next: { action: 'decide', at: now },
})
