import type { PoolClient } from 'pg'
import type { DepositEvent, DepositEvidence, WatchPage } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import type { AttemptState, SignedAttempt } from '../chain/laneAdapter.js'
import type { Lease } from '../database/leases.js'
import { withTransaction } from '../database/pool.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import { DepositIngest } from '../deposit/depositIngest.js'
import type { CurrencyRegistry } from '../money/currency/currency.js'
import type { Hex } from '../money/hex.js'
import { type QuoteTerms, serializeTerms } from '../quote/quoteTerms.js'
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase.js'
import { storeAttempts } from './attempt/storeAttempts.js'
import type { NewPayout } from './createPayouts.js'
import { recordDecisions } from './decision/decisions.js'
import { findOpenDecisions, type OpenDecision } from './decision/openDecisions.js'
import { findOpenPayouts, findReadyPayouts } from './payoutQueries.js'
import type { StoredPayout } from './payoutRecord.js'
import { recordNewGeneration } from './settlement/recordDeath.js'
import { recordIncluded } from './settlement/recordIncluded.js'
import { recordPayoutReorg } from './settlement/recordReorg.js'
import { recordSpent } from './settlement/recordSpent.js'

export const ORIGIN = 1
export const DESTINATION = 2
export const NOW = Date.UTC(2026, 10, 21)
export const LEASE: Lease = { name: 'all', epoch: 1n, signal: new AbortController().signal }
const WALLET = '0x5e'
export const SOLVER = 'solver'
export const FORMER_SOLVER = 'former solver'
const SETTLE = 10

/** What the money path reads of the origin: blocks are made up. */
// CAST: the ingest reads no more of a chain.
export const originChain = {
  config: {
    id: ORIGIN,
    slug: 'origin',
    solver: SOLVER,
    formerSolvers: [FORMER_SOLVER],
    confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
  },
  adapter: {
    depository: 'depository',
    capabilities: { mempoolVisibility: false },
    sameAddress: (left: string, right: string) => left === right,
  },
} as unknown as Chain

/** Deposits and their payouts by the money path's own functions over a real database, without chains. */
export class GroundWorld {
  #number = 0
  /** How far the watcher has read. */
  height = 100n
  readonly #ingest: DepositIngest

  constructor(readonly database: TestDatabase) {
    // CAST: the ingest asks only whether a currency is held.
    const currencies = { find: () => ({}) } as unknown as CurrencyRegistry
    this.#ingest = new DepositIngest({
      quoteDays: 30,
      pool: database.pool,
      clock: { now: () => NOW },
      currencies,
      keepsBalances: true,
    })
  }

  static async open(): Promise<GroundWorld> {
    const database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    await database.pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('all', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour');
       insert into lanes (chain_id, signer, state, position, height, updated_at)
         select chain, '${WALLET}', 'open', '0', 0, now() from unnest(array[${ORIGIN}, ${DESTINATION}]) chain`,
    )
    return new GroundWorld(database)
  }

  get pool() {
    return this.database.pool
  }

  commit<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return withTransaction(this.pool, work)
  }

  id(): Hex {
    this.#number += 1
    return `0x${this.#number.toString(16).padStart(64, '0')}`
  }

  /** A stored quote for 1000. */
  async quote(more: Partial<QuoteTerms> = {}, { body = '{}', quoted = '{}' } = {}): Promise<QuoteTerms> {
    const terms: QuoteTerms = {
      requestId: this.id(),
      orderId: this.id(),
      tradeType: 'EXACT_INPUT',
      user: 'user',
      recipient: { address: 'recipient' },
      refundTo: { address: 'user' },
      origin: { chainId: ORIGIN, currency: 'coin' },
      destination: { chainId: DESTINATION, currency: 'coin' },
      depositAmount: 1_000n,
      minimumDeposit: 900n,
      payoutAmount: 950n,
      minimumPayout: 940n,
      fillCost: 5n,
      networkFee: 5n,
      feesIn: 20n,
      quotedAt: NOW,
      priceUntil: NOW + 30_000,
      orderDeadline: Math.floor(NOW / 1000) + 86_400,
      fillBy: null,
      latePaymentSlippageBps: 0,
      trueExactOutput: false,
      forceRefund: false,
      ...more,
    }
    await this.pool.query(
      `insert into quotes (id, order_id, created_at, terms, body, quoted, order_data) values (decode($1, 'hex'), decode($2, 'hex'), to_timestamp($6 / 1000.0), $3, $4, $5, '{}')`,
      [terms.requestId.slice(2), terms.orderId.slice(2), serializeTerms(terms), body, quoted, terms.quotedAt],
    )
    return terms
  }

  /** What the watcher tells of a deposit in a block. */
  event(orderId: Hex | null, amount: bigint, height = 100n): DepositEvent {
    return {
      state: 'included',
      tx: { id: this.id() },
      position: 0,
      index: 0,
      orderId,
      depositor: 'user',
      depository: 'depository',
      money: { currency: 'coin', amount },
      block: { height, hash: this.id(), time: Math.floor(NOW / 1000) },
      txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
      fee: 1n,
    }
  }

  /** A quote and its deposit of 1000, or more, in a block. */
  async deposit(amount = 1_000n, height = 100n): Promise<DepositEvent> {
    const { orderId } = await this.quote()
    const event = this.event(orderId, amount, height)
    await this.see(event)
    return event
  }

  /** The watcher reads a page; `evidence` answers for deposits above its rewind. */
  async read(page: Partial<WatchPage>, evidence: readonly DepositEvidence[] = []): Promise<void> {
    const read = { deposits: [], cursor: 0, height: this.height, tip: this.height, rewoundTo: null, ...page }
    await this.#ingest.apply(originChain, read, evidence, LEASE)
  }

  /** The watcher reads blocks with deposits. */
  see(...deposits: readonly DepositEvent[]): Promise<void> {
    return this.read({ deposits })
  }

  /** The watcher finds deposits gone; true when the chain is halted by it. */
  leave(events: readonly DepositEvent[], replaced = 1n): Promise<boolean> {
    const page = { deposits: [], cursor: 0, height: 90n, tip: 100n, rewoundTo: 90n }
    return this.#ingest.apply(originChain, page, events.map(gone), LEASE, { height: 100n, replaced })
  }

  async open(event: DepositEvent): Promise<OpenDecision> {
    const open = (await findOpenDecisions(this.pool, DESTINATION, NOW + 60_000, { batch: 1_000, burnPauseMs: 0 })).find(
      ({ deposit }) => deposit.txId === event.tx.id,
    )
    if (open === undefined) throw new Error('The deposit is not to be decided')
    return open
  }

  payoutOf(open: OpenDecision, kind: 'fill' | 'refund', data: NewPayout['data'] = {}): NewPayout {
    const { id: depositId, amount } = open.deposit
    return {
      purpose: kind,
      depositId,
      requestId: open.requestId,
      orderId: open.terms.orderId,
      chainId: kind === 'fill' ? DESTINATION : ORIGIN,
      signer: WALLET,
      recipient: { address: 'recipient' },
      currency: 'coin',
      amount: kind === 'fill' ? 950n : amount - 2n,
      fees: kind === 'fill' ? 20n : 2n,
      data,
      at: NOW,
    }
  }

  /** Decides a deposit and returns its payout, which waits for a signature. */
  async decide(event: DepositEvent, kind: 'fill' | 'refund', data: NewPayout['data'] = {}): Promise<StoredPayout> {
    const open = await this.open(event)
    const payout = this.payoutOf(open, kind, data)
    const more = kind === 'fill' ? ({ kind } as const) : ({ kind, reason: 'SLIPPAGE', details: null } as const)
    await this.commit((client) => recordDecisions(client, [{ ...more, open, payout }], NOW))
    return this.ready(event, kind)
  }

  async findReady(event: DepositEvent, purpose: string): Promise<StoredPayout | undefined> {
    const lanes = [ORIGIN, DESTINATION].map((chainId) =>
      findReadyPayouts(this.pool, { chainId, signer: WALLET }, NOW + 1, 1_000),
    )
    const id = await this.depositId(event)
    return (await Promise.all(lanes)).flat().find((payout) => payout.deposit?.id === id && payout.purpose === purpose)
  }

  async ready(event: DepositEvent, purpose: string): Promise<StoredPayout> {
    const payout = await this.findReady(event, purpose)
    if (payout === undefined) throw new Error('The payout is not ready')
    return payout
  }

  async onItsWay(event: DepositEvent, purpose: string): Promise<StoredPayout> {
    const lanes = [ORIGIN, DESTINATION].map((chainId) =>
      findOpenPayouts(this.pool, { chainId, signer: WALLET }, ['signed', 'included'], 1_000),
    )
    const id = await this.depositId(event)
    const payout = (await Promise.all(lanes)).flat().find((item) => item.deposit?.id === id && item.purpose === purpose)
    if (payout === undefined) throw new Error('The payout was not signed')
    return payout
  }

  sign(kind: 'pay' | 'cancel' = 'pay'): SignedAttempt {
    const txId = this.id()
    return { kind, transaction: null, guards: [`nonce:${txId}`], feeCap: 9n, txId, raw: txId }
  }

  /** Stores what was signed for payouts; `version` above 1 replaces what was stored. */
  async store(client: PoolClient, payouts: readonly StoredPayout[], signed: SignedAttempt, version = 1): Promise<void> {
    const own = payouts.map((_, at) => ({
      ...signed,
      txId: `${signed.txId}${at}`,
      guards: signed.guards.map((guard) => `${guard}${at}`),
    }))
    await this.#store(client, payouts, own, version)
  }

  /** Stores one transaction that pays all of them. */
  storeShared(client: PoolClient, payouts: readonly StoredPayout[]): Promise<void> {
    const signed = this.sign()
    return this.#store(
      client,
      payouts,
      payouts.map(() => signed),
      1,
    )
  }

  async #store(
    client: PoolClient,
    payouts: readonly StoredPayout[],
    signed: readonly SignedAttempt[],
    version: number,
  ): Promise<void> {
    const attempts = payouts.flatMap((payout, at) => {
      const bytes = signed[at]
      const generation = version === 1 ? payout.generation + 1 : payout.generation
      return bytes === undefined ? [] : [{ payout, generation, version, signed: bytes }]
    })
    const [first] = payouts
    if (first === undefined) throw new Error('There is nothing to store')
    const lane = { chainId: first.chainId, signer: WALLET, position: null, height: 0n, native: 'native', limits: [] }
    await storeAttempts(client, LEASE, lane, attempts, NOW)
  }

  async signAndStore(payout: StoredPayout): Promise<void> {
    await this.commit((client) => this.store(client, [payout], this.sign()))
  }

  async include(
    event: DepositEvent,
    purpose: string,
    hash = this.id(),
    more: Partial<AttemptState> = {},
  ): Promise<void> {
    const payout = await this.onItsWay(event, purpose)
    const attempt = payout.live.at(-1)
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    const block = { height: 5n, hash, time: Math.floor(NOW / 1000) }
    const state = {
      status: 'success' as const,
      block,
      confirmations: 1,
      fee: 7n,
      paid: null,
      revert: null,
      txData: null,
      ...more,
    }
    await this.commit((client) =>
      recordIncluded(client, [{ payout, attempt, state }], 'gas', { now: NOW, settleAt: NOW }),
    )
  }

  /** The transaction of a payout leaves the chain. */
  async reorg(event: DepositEvent, purpose: string): Promise<void> {
    const payout = await this.onItsWay(event, purpose)
    const attempt = payout.live.at(-1)
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    await this.commit((client) => recordPayoutReorg(client, payout, attempt, 'gas', NOW))
  }

  /** The transaction of a payout fails in a block, and that block leaves; its generation is dead. */
  async failAndLeave(event: DepositEvent, purpose: string): Promise<void> {
    const block = { height: 5n, hash: this.id(), time: Math.floor(NOW / 1000) }
    const payout = await this.onItsWay(event, purpose)
    const state = {
      status: 'reverted' as const,
      block,
      confirmations: 1,
      fee: 7n,
      paid: 0n,
      revert: null,
      txData: null,
    }
    const [attempt] = payout.live
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    await this.commit((client) => recordSpent(client, { payout, attempt, state }, 'gas', { now: NOW, proveAt: NOW }))
    const again = await this.onItsWay(event, purpose)
    const left = { attempts: again.live, native: 'gas' }
    await this.commit((client) => recordNewGeneration(client, { payout: again, proof: 'expired', left }, NOW))
  }

  async depositId(event: DepositEvent): Promise<string> {
    const { rows } = await this.pool.query<{ id: string }>('select id::text as id from deposits where tx_id = $1', [
      event.tx.id,
    ])
    return rows[0]?.id ?? ''
  }

  /** How a deposit stands: its outcome, its request, its payouts and how many attempts of them are stored. */
  async standing(event: DepositEvent) {
    const { rows } = await this.pool.query<{
      outcome: string | null
      status: string
      next: string | null
      fail_reason: string | null
      refund_reason: string | null
      order_taken: boolean
      payouts: Record<string, string>
      stored: number
    }>(
      `select d.outcome, r.status, r.next_action as next, r.fail_reason, r.refund_reason,
         exists (select from orders o where o.consumed_by = d.id) as order_taken,
         coalesce((select jsonb_object_agg(p.purpose, p.state) from payouts p where p.deposit_id = d.id), '{}') as payouts,
         (select count(*)::int from payout_attempts a join payouts p on p.id = a.payout_id where p.deposit_id = d.id) as stored
       from deposits d join requests r on r.id = d.request_id where d.tx_id = $1`,
      [event.tx.id],
    )
    return rows[0]
  }

  /** What stands in the accounts of the books because of a deposit and its payouts; accounts at zero are left out. */
  async books(event: DepositEvent): Promise<Record<string, string>> {
    const { rows } = await this.pool.query<{ account: string; amount: string }>(
      `select e.account, sum(e.amount)::text as amount from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where (t.cause = 'deposit:' || $1 or t.cause in (select 'payout:' || p.id from payouts p where p.deposit_id = $1::bigint))
         and e.chain_id = ${ORIGIN} group by 1 having sum(e.amount) <> 0 order by 1`,
      [await this.depositId(event)],
    )
    return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
  }
}

export const gone = ({ tx, position }: DepositEvent): DepositEvidence => ({
  tx,
  position,
  finding: 'missing',
  source: 'test',
  reason: 'reorganized',
})
