import type { Pool, PoolClient } from 'pg'
import type { DepositEvent, DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { Clock } from '../clock/clock.js'
import { assertLeaseHeld, type Lease } from '../database/leases.js'
import { withTransaction } from '../database/pool.js'
import { failpoint } from '../failpoint/failpoint.js'
import { type LedgerPosting, postLedger } from '../ledger/ledger.js'
import { depositPosting } from '../ledger/postings.js'
import type { CurrencyRegistry } from '../money/currency.js'
import type { Hex } from '../money/hex.js'
import { computeOnchainId } from '../order/computeOnchainId.js'
import { changeStatuses, type StatusChange } from '../request/changeStatus.js'
import { childRequest, consumeOrders, insertRequests, type NewRequest } from '../request/insertRequests.js'
import { type RequestTx, saveRequestTxs } from '../request/requestTxs.js'
import { traceTime } from '../telemetry/traceTime.js'
import type { TransferObserver } from '../telemetry/transferObserver.js'
import { classifyDeposit, type DepositClass } from './classifyDeposit.js'
import { DepositReorg } from './depositReorg.js'
import { findDeposits, findOrders, insertDeposits, type KnownOrder, type NewDeposit } from './depositStore.js'

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

const keyOf = (deposit: { readonly tx: { readonly id: string }; readonly position: number }): string =>
  `${deposit.tx.id}:${deposit.position}`

/** Applies pages of a chain's watcher: deposits, their requests and the cursor in one transaction (design 3, step 2). */
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
    const fresh = await withTransaction(this.#deps.pool, async (client) => {
      await assertLeaseHeld(client, lease)
      const classified = await this.#applyDeposits(client, chain, page.deposits, evidence, now)
      await client.query({
        name: 'cursor_save',
        text: `insert into chain_cursors (chain_id, cursor, height, tip, updated_at) values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
          on conflict (chain_id) do update set cursor = excluded.cursor, height = excluded.height, tip = excluded.tip,
            updated_at = excluded.updated_at`,
        values: [chain.config.id, JSON.stringify(page.cursor), page.height.toString(), page.tip.toString(), now],
      })
      return classified
    })
    if (carries) await failpoint('deposit.commit.after')
    this.#deps.observer?.deposits(chain.config.id, fresh.map(toSeen), startedAt)
  }

  async #applyDeposits(
    client: PoolClient,
    chain: Chain,
    events: readonly DepositEvent[],
    evidence: readonly DepositEvidence[],
    now: number,
  ): Promise<readonly Classified[]> {
    if (events.length === 0 && evidence.length === 0) return []
    const stored = await findDeposits(client, chain.config.id, [
      ...new Set([...events, ...evidence].map(({ tx }) => tx.id)),
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
    return this.#insertFresh(client, chain, [...fresh.values()], now)
  }

  async #insertFresh(
    client: PoolClient,
    chain: Chain,
    events: readonly DepositEvent[],
    now: number,
  ): Promise<readonly Classified[]> {
    if (events.length === 0) return []
    const orders = await findOrders(client, [
      ...new Set(events.flatMap(({ orderId }) => (orderId === null ? [] : [orderId]))),
    ])
    const classified = this.#classify(chain, events, orders)
    await insertRequests(
      client,
      classified.flatMap(({ request }) => (request === null ? [] : [request])),
      now,
    )
    const deposits = classified.map(
      ({ event, fate, request }): NewDeposit => ({
        event,
        onchainId: computeOnchainId(chain.config.slug, event.tx.id, event.index),
        requestId: request?.terms.requestId ?? null,
        parkedReason: fate.kind === 'parked' ? fate.reason : null,
      }),
    )
    const ids = await insertDeposits(client, chain.config.id, deposits, now)
    await consumeOrders(
      client,
      classified.flatMap(({ event, fate }, index) =>
        fate.kind === 'fillable' && event.orderId !== null
          ? [{ orderId: event.orderId, depositId: ids[index] ?? '' }]
          : [],
      ),
    )
    await postLedger(
      client,
      classified.map(({ event, fate }, index) => posting(chain, event, fate, ids[index] ?? '')),
      now,
    )
    await saveRequestTxs(
      client,
      classified.flatMap(({ event, request }) => toRequestTx(chain, event, request)),
      now,
    )
    const changes = classified.flatMap(({ request }) => (request === null ? [] : [toPending(request, now)]))
    await changeStatuses(client, changes, now)
    const destinations = new Set(classified.flatMap(({ request }) => request?.terms.destination.chainId ?? []))
    for (const chainId of destinations) await wakeLane(client, chainId)
    return classified
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

/** Nudges the lane of a chain in every process; the ticker is the net. */
export const wakeLane = async (client: PoolClient, chainId: number): Promise<void> => {
  await client.query({ name: 'lane_wake', text: `select pg_notify('causeway_lane', $1)`, values: [String(chainId)] })
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
