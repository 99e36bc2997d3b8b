import { coreMigrations } from '@causeway/core/host'
import {
  capitalPosting,
  depositPosting,
  fillPosting,
  gasPosting,
  type LedgerPosting,
  postLedger,
  refundPosting,
  withdrawPosting,
} from '@causeway/core/money-path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { PoolClient } from 'pg'
import { type Query, queryOver } from '../database/query.js'
import {
  type CheckedRecord,
  type CheckedTransfer,
  type CheckState,
  createCheckState,
  type Limits,
} from './checkState.js'

export const NOW = Date.UTC(2026, 10, 21)
/** Order that was filled with an excess, order that was refunded, what a deposit without order is called by. */
export const [FILLED, REFUNDED, LOOSE] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`) as [
  string,
  string,
  string,
]
const OPENING = 10_000n

/** A chain whose records and balances a test writes as it likes. */
export class FakeLedger {
  readonly coin = 'coin'
  readonly token = 'token'
  readonly depository: string
  readonly keys: { readonly payer: { readonly address: string } }
  readonly #balances = new Map<string, bigint>()
  readonly #records: CheckedRecord[] = []
  readonly #pending: CheckedTransfer[] = []

  constructor(
    readonly chainId: number,
    readonly slug: string,
  ) {
    this.depository = `depository of ${slug}`
    this.keys = { payer: { address: `payer of ${slug}` } }
    this.move(this.keys.payer.address, OPENING)
  }

  balance(account: string, currency: string): bigint {
    return this.#balances.get(`${account}:${currency}`) ?? 0n
  }

  records(): readonly CheckedRecord[] {
    return this.#records
  }

  pending(): readonly CheckedTransfer[] {
    return this.#pending
  }

  move(account: string, amount: bigint): void {
    this.#balances.set(`${account}:coin`, this.balance(account, 'coin') + amount)
  }

  transfer(from: string, to: string, amount: bigint, memo: string, account = from): CheckedTransfer {
    return { from, to, currency: 'coin', amount: amount.toString(), memo, account }
  }

  /** Takes effect at once; a fee of 1. */
  include(id: string, transfer: CheckedTransfer): void {
    this.#records.push({ id, transfer, status: 'success', fee: '1', block: { height: 1 } })
    this.move(transfer.from, -BigInt(transfer.amount))
    this.move(transfer.to, BigInt(transfer.amount))
    this.move(transfer.account, -1n)
  }

  /** In a block before all others. */
  precede(id: string, transfer: CheckedTransfer): void {
    this.#records.unshift({ id, transfer, status: 'success', fee: '1', block: { height: 0 } })
  }

  remove(id: string): void {
    this.#records.splice(
      this.#records.findIndex((record) => record.id === id),
      1,
    )
  }

  wait(transfer: CheckedTransfer): void {
    this.#pending.push(transfer)
  }
}

const LIMITS: Limits = { worth: ({ amount }) => amount, quorum: 300n, unsettled: 400n }

/** Two orders that are finished, one by a fill with an excess and one by a refund, and a deposit that is parked; chains and books agree. */
export class CheckWorld {
  readonly origin = new FakeLedger(1, 'origin')
  readonly destination = new FakeLedger(2, 'destination')
  readonly query: Query
  readonly state: CheckState

  private constructor(readonly client: PoolClient) {
    this.query = queryOver(client)
    const ledgers = [this.origin, this.destination]
    this.state = createCheckState({
      query: this.query,
      ledgers,
      limits: LIMITS,
      idOf: ({ memo }: CheckedTransfer) => `waits: ${memo}`,
      toleranceMs: 60_000,
    })
    this.state.now = NOW
    this.state.liveSince = NOW - 3_600_000
    const [one, two] = [this.origin, this.destination]
    const { payer } = one.keys
    const pay = (id: string, amount: bigint, memo: string) =>
      one.include(id, one.transfer(payer.address, 'user', amount, memo))
    one.include('d1', one.transfer('user', one.depository, 1_000n, FILLED))
    one.include('d2', one.transfer('user', one.depository, 500n, REFUNDED))
    one.include('d3', one.transfer('user', one.depository, 50n, ''))
    two.include('f1', two.transfer(two.keys.payer.address, 'recipient', 800n, FILLED))
    pay('e1', 95n, `${FILLED} excess`)
    pay('r1', 490n, `${REFUNDED} refund`)
    one.include('w1', one.transfer(one.depository, payer.address, 1_000n, `${FILLED} withdraw`, payer.address))
    one.include('w2', one.transfer(one.depository, payer.address, 500n, `${REFUNDED} withdraw`, payer.address))
  }

  /** In a transaction of its own, which `close` takes back; triggers are off, so that rows can be doctored. */
  static async open(database: TestDatabase): Promise<CheckWorld> {
    const client = await database.pool.connect()
    await client.query('begin; set local session_replication_role = replica')
    const world = new CheckWorld(client)
    await client.query(ROWS)
    await postLedger(client, POSTINGS, NOW)
    return world
  }

  async close(): Promise<void> {
    await this.client.query('rollback')
    this.client.release()
  }
}

export const openCheckDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 1 })

const bytes = (id: string): string => `'\\x${id.slice(2)}'`

const ROWS = `
  insert into lanes (chain_id, signer, state, position, height, updated_at) select chain, 'payer', 'open', '0', 0, now() from unnest(array[1, 2]) chain;
  select setval('deposits_id_seq', 1, false), setval('payouts_id_seq', 1, false);
  insert into requests (id, order_id, status, version, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
    recipient, refund_to, amount_in, amount_out, terms, quoted_at, created_at, updated_at)
  select id, id, status, version, 1, 2, 'coin', 'coin', 'user', 'recipient', 'user', 1, 1, '{"minimumOut": "700"}', now(), now(), now()
  from (values (${bytes(FILLED)}::bytea, 'success', 4), (${bytes(REFUNDED)}, 'refund', 3)) v(id, status, version);
  insert into request_events (request_id, version, status, payload, created_at)
  select id, version, status, '{}', now() from (values (${bytes(FILLED)}::bytea, 2, 'pending'), (${bytes(REFUNDED)}, 2, 'pending'),
    (${bytes(FILLED)}, 3, 'submitted'), (${bytes(REFUNDED)}, 3, 'refund'), (${bytes(FILLED)}, 4, 'success')) v(id, version, status);
  insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, request_id, parked_reason,
    outcome, outcome_at, created_at)
  select 1, tx, 0, ${bytes(LOOSE)}, id, 'user', 'depository of origin', 'coin', amount, 'included', id, reason, outcome, ${`to_timestamp(${NOW / 1000})`}, now()
  from (values ('d1', ${bytes(FILLED)}::bytea, 1000, null, 'fill'), ('d2', ${bytes(REFUNDED)}, 500, null, 'refund'),
    ('d3', null, 50, 'no order id', null)) v(tx, id, amount, reason, outcome);
  insert into payouts (purpose, cause, deposit_id, order_id, chain_id, signer, recipient, currency, amount, fees, data, state, generation,
    created_at, updated_at)
  select purpose, purpose || deposit, deposit, order_id, chain, 'payer', 'r', 'coin', amount, fees, data, 'final', 1, now(), now()
  from (values ('fill', 1, ${bytes(FILLED)}::bytea, 2, 800, 20, '{"excess": "100"}'), ('excess', 1, ${bytes(FILLED)}, 1, 95, 5, null),
    ('withdraw', 1, ${bytes(FILLED)}, 1, 1000, 0, null), ('refund', 2, ${bytes(REFUNDED)}, 1, 490, 10, null),
    ('withdraw', 2, ${bytes(REFUNDED)}, 1, 500, 0, null)) v(purpose, deposit, order_id, chain, amount, fees, data);
  insert into payout_generations (payout_id, generation, state) select n, 1, 'live' from generate_series(1, 5) n;
  insert into payout_attempts (payout_id, generation, version, kind, chain_id, tx_id, raw, prepared, fee_cap, state, fee, epoch, created_at)
  select payout, 1, 1, 'pay', chain, tx, 'signed', '{"guards": ["' || tx || '"]}', 1, 'included', 1, 1, now()
  from (values (1, 2, 'f1'), (2, 1, 'e1'), (3, 1, 'w1'), (4, 1, 'r1'), (5, 1, 'w2')) v(payout, chain, tx);
  insert into payout_guards (chain_id, guard_key, payout_id, generation) select chain_id, tx_id, payout_id, 1 from payout_attempts`

const coin = (chainId: number, amount: bigint) => ({ chainId, currency: 'coin', amount })
const gas = (chainId: number, txId: string) => gasPosting({ ...coin(chainId, 1n), txId, inclusion: 'block' })
const deposit = (id: string, amount: bigint, parked = false) =>
  depositPosting({ ...coin(1, amount), id, inclusion: 1, parked })

const POSTINGS: readonly LedgerPosting[] = [
  ...[1, 2].map((chainId) => capitalPosting({ ...coin(chainId, OPENING), event: 'opening' })),
  deposit('1', 1_000n),
  deposit('2', 500n),
  deposit('3', 50n, true),
  fillPosting({ payoutId: '1', inclusion: 1, deposit: coin(1, 1_000n), excess: 100n, fees: 20n, paid: coin(2, 800n) }),
  refundPosting({ payoutId: '2', inclusion: 1, paid: coin(1, 95n), fees: 5n }),
  withdrawPosting({ payoutId: '3', inclusion: 1, paid: coin(1, 1_000n) }),
  refundPosting({ payoutId: '4', inclusion: 1, paid: coin(1, 490n), fees: 10n }),
  withdrawPosting({ payoutId: '5', inclusion: 1, paid: coin(1, 500n) }),
  ...['e1', 'w1', 'r1', 'w2'].map((tx) => gas(1, tx)),
  gas(2, 'f1'),
]
