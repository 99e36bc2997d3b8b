import { coreMigrations } from '@causeway/core/host'
import type { PackageMigrations } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import quotePlugin from '@causeway/plugin-quote'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readCatalog } from './catalog.js'
import { type Query, queryOver } from './query.js'
import { putBack, resetDatabase, type Snapshot, takeSnapshot } from './snapshot.js'

const PACKAGES: readonly PackageMigrations[] = [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: quotePlugin.name, migrations: quotePlugin.migrations ?? [] },
  {
    name: 'odd',
    migrations: [
      {
        name: '0001_odd',
        up: `create table "Odd ones" ("a name" text, at timestamptz, number numeric, exact double precision, bytes bytea, list text[],
            doc json, binary_doc jsonb, twice integer generated always as (length("a name") * 2) stored, id bigint generated always as identity);
          alter table "Odd ones" add column gone text; alter table "Odd ones" drop column gone`,
      },
    ],
  },
]

let database: TestDatabase
let query: Query
let fresh: Snapshot
beforeAll(async () => {
  database = await createTestDatabase({ packages: PACKAGES, poolSize: 1 })
  query = queryOver(database.pool)
  fresh = await takeSnapshot(query)
})
afterAll(() => database?.drop())
beforeEach(() => resetDatabase(query, fresh))

/** What every table with rows of its own holds, where its rows lie, and what each sequence gives next. */
const fingerprint = async (): Promise<Record<string, string>> => {
  const { tables, partitions, sequences } = await readCatalog(query)
  const names = [...tables, ...partitions].map(({ name }) => name)
  const hashes = names.map(
    (name) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text || ctid::text, ' ' order by ctid), '')) as hash from only ${name} t`,
  )
  const rows = await query<{ name: string; hash: string }>(hashes.join(' union all '))
  const numbers = sequences.map(({ name, value, called }) => [name, `${value} ${called}`])
  return Object.fromEntries([...rows.map(({ name, hash }) => [name, hash]), ...numbers])
}

/** A story of `orders` requests, each with all that belongs to it, over the real triggers. */
const live = async (orders: number, first = 0): Promise<void> => {
  const id = `decode(lpad(to_hex(n + ${first}), 64, '0'), 'hex')`
  const each = `from generate_series(1, ${orders}) n`
  await query(`
    select keep_spans('quotes_weeks', 'week', '2026-11-21', '2026-12-28'), keep_spans('request_events', 'week', '2026-11-14', '2026-12-12'),
      keep_spans('operator_audit', 'month', '2026-11-20', '2026-12-26');
    insert into quotes (id, order_id, created_at, terms, body, quoted, order_data, keep_until)
      select ${id}, ${id}, now(), '{}', '{}', '{}', '{}', timestamptz '2026-11-25' + n * interval '1 day' ${each};
    insert into requests (id, order_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
        recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at)
      select ${id}, ${id}, 'waiting', 1, 2, 'coin', 'coin', 'user', 'recipient', 1000, 900, '{}', now(), now(), now(), 'await-deposit', now() ${each};
    insert into orders (order_id, request_id, data, created_at) select ${id}, ${id}, '{}', now() ${each};
    insert into deposits (chain_id, tx_id, position, onchain_id, order_id, depositor, depository, currency, amount, state, request_id, created_at)
      select 1, 'tx' || n + ${first}, 0, ${id}, ${id}, 'user', 'depository', 'coin', 1000, 'included', ${id}, now() ${each};
    insert into request_events (request_id, version, status, payload, created_at)
      select ${id}, 2, 'pending', '{}', timestamptz '2026-11-21' ${each};
    select post_ledger('deposit:' || n + ${first}, 'included:1', now(), '[{"account":"depository","chainId":1,"currency":"coin","amount":"5"},
      {"account":"owed","chainId":1,"currency":"coin","amount":"-5"}]') ${each};
    update orders set consumed_by = d.id from deposits d where d.order_id = orders.order_id;
    insert into "Odd ones" ("a name", at, number, exact, bytes, list, doc, binary_doc) values
      (E'it''s "odd", \\\\ (really)\\n', '2026-11-21 01:02:03.000004Z', '1.10', 0.1, '\\xdeadbeef', array['a,b', null, '"'], '{"a":  1}', '{"a": [1.0]}'),
      (null, 'infinity', 'NaN', '-0', '', '{}', 'null', '"x"');
    update clock_offset set offset_ms = offset_ms + 7;
    delete from dropped_partitions`)
}

it('leaves every table as it was, and lets it go on from there', async () => {
  await live(40)
  const then = await takeSnapshot(query)
  await putBack(query, then)
  const before = await fingerprint()
  await live(20, 40)
  await query(`delete from orders where consumed_by > 3; drop table request_events_20261207`)
  expect(await fingerprint()).not.toEqual(before)
  await putBack(query, then)
  expect(await fingerprint()).toEqual(before)
  expect(await takeSnapshot(query)).toEqual(then)
  await live(20, 40)
  expect(await query('select count(*)::int as all, max(id)::int as last from deposits')).toEqual([
    { all: 60, last: 60 },
  ])
})

it('keeps rows exactly, however odd their values', async () => {
  const exact = `select t::text, doc::text, exact::text, twice from "Odd ones" t`
  await live(1)
  const [before, then] = [await query(exact), await takeSnapshot(query)]
  await resetDatabase(query, fresh)
  await putBack(query, then)
  expect(before).toHaveLength(2)
  expect(await query(exact)).toEqual(before)
})

it('empties a database to what its migrations wrote', async () => {
  const before = await fingerprint()
  await live(30)
  await resetDatabase(query, fresh)
  expect(await fingerprint()).toEqual(before)
  expect(await query('select offset_ms::int as offset from clock_offset')).toEqual([{ offset: 0 }])
  expect((await query('select from migrations_core')).length).toBe(coreMigrations.length)
  await live(1)
  expect(await query('select id::int, (select seq::int from requests) as seq from deposits')).toEqual([
    { id: 1, seq: 1 },
  ])
})

it('fires no trigger on the way, and leaves them at work', async () => {
  await live(3)
  const then = await takeSnapshot(query)
  const changes = 'select count(*)::int as count from request_count_changes'
  const counted = await query(changes)
  await putBack(query, then)
  expect(await query(changes)).toEqual(counted)
  await expect(query(`delete from ledger_entries`)).rejects.toThrow('ledger rows never change')
  await expect(query(`update deposits set request_id = '\\x00'`)).rejects.toThrow('foreign key')
})

it('does either all of it or nothing', async () => {
  await live(3)
  const before = await fingerprint()
  const broken = { ...fresh, rows: new Map([...fresh.rows, ['deposits', ['(no row)']]]) }
  await expect(putBack(query, broken)).rejects.toThrow('invalid input syntax')
  expect(await fingerprint()).toEqual(before)
})
