import { coreMigrations } from '@causeway/core/host'
import { buildRecord, type PackageMigrations, type RecordFacts, toBytea, withTransaction } from '@causeway/core/plugin'
import requestsV3, { packRecord, RecordTexts } from '@causeway/plugin-requests-v3'
import pg, { type ClientBase } from 'pg'
import { type Column, copyRows, type PreparedRows, prepareRows } from './copyRows.js'
import { dropIndexes, makeIndexes } from './heldBackIndexes.js'
import { SEEDED_CONTEXT } from './seededChains.js'
import { type SeedPlan, seededRequest } from './seededRequest.js'
import {
  DEPOSIT_COLUMNS,
  FACT_COLUMNS,
  ORDER_COLUMNS,
  PAYOUT_COLUMNS,
  REQUEST_COLUMNS,
  TX_COLUMNS,
} from './seededRows.js'

/** What reads the texts that are stored with the requests. */
export const SEEDED_TEXTS = new RecordTexts(SEEDED_CONTEXT)
/** Whose tables are filled. */
export const SEEDED_PACKAGES: readonly PackageMigrations[] = [
  { name: '@causeway/core', migrations: coreMigrations },
  { name: requestsV3.name, migrations: requestsV3.migrations ?? [] },
]

const BATCH = 2_000
const PIECE = 200
const TABLES = [
  'requests',
  'request_terms',
  'request_txs',
  'request_facts',
  'deposits',
  'payouts',
  'orders',
  'record_texts',
] as const
type Table = (typeof TABLES)[number]

export interface SeedOptions extends SeedPlan {
  /** Add to a database that holds requests already. */
  readonly force?: boolean
  readonly onProgress?: (done: number) => void
}

/**
 * Fills the tables of requests as the service itself would have: triggers and constraints stay on, so terms and counts are
 * theirs. Records are stored as their texts. All or nothing. Throws when the database holds requests already, unless forced.
 * Indexes of empty tables are made when the rows are in.
 */
export const seedRequests = async (databaseUrl: string, options: SeedOptions): Promise<void> => {
  // Not the service's pool: COPY cannot share a connection with other statements.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'causeway seed' })
  try {
    await withTransaction(pool, (client) => seedAll(client, pool, options))
    // As the server itself would have got round to by the time there are so many.
    await pool.query(`vacuum (analyze) ${[...TABLES, 'request_touches', 'request_counts'].join(', ')}`)
  } finally {
    await pool.end()
  }
}

const seedAll = async (client: ClientBase, pool: pg.Pool, options: SeedOptions): Promise<void> => {
  const empty = (await client.query('select from requests limit 1')).rowCount === 0
  if (!empty && options.force !== true) {
    throw new Error('This database holds requests. Name an empty one, or say --force to add seeded requests to it.')
  }
  // The tables grow under the kept plans of the triggers: what suits a small table would not do later.
  await client.query(`set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
    set local jit = off; set local synchronous_commit = off;
    set local maintenance_work_mem = '256MB'; set local statement_timeout = 0; set local lock_timeout = '10s'`)
  const held = empty ? await dropIndexes(client, TABLES) : []
  // While the database takes in one batch, the next one is made.
  let sending: Promise<void> = Promise.resolve()
  for (let start = 0; start < options.requests; start += BATCH) {
    const end = Math.min(start + BATCH, options.requests)
    const batch = await prepareBatch(pool, options, { start, end })
    await sending
    sending = sendBatch(client, batch).then(() => options.onProgress?.(end))
    // It is awaited a batch later.
    sending.catch(() => undefined)
  }
  await sending
  await makeIndexes(client, held)
  await foldAll(client)
}

interface Batch {
  readonly ids: readonly Buffer[]
  /** In the order in which the constraints take them. */
  readonly tables: readonly PreparedRows[]
}

/** Lets what the database has answered be handled between two pieces of a batch. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const prepareBatch = async (
  pool: pg.Pool,
  options: SeedOptions,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Batch> => {
  const all: RecordFacts[] = []
  for (let at = start; at < end; at += 1) {
    all.push(seededRequest(options, at))
    if (at % PIECE === 0) await breathe()
  }
  const tables: PreparedRows[] = []
  const add = async <Row>(table: Table, columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> => {
    tables.push(prepareRows(table, columns, rows))
    await breathe()
  }
  await add('requests', REQUEST_COLUMNS, all)
  await add('request_facts', FACT_COLUMNS, all)
  await add('orders', ORDER_COLUMNS, all)
  const movements = await numberedMovements(pool, all)
  const each = <Item>(items: (facts: RecordFacts) => readonly Item[]) =>
    movements.flatMap(({ facts, number }) => items(facts).map((item) => ({ facts, item, number })))
  const deposits = each((facts) => facts.deposits)
  await add('deposits', DEPOSIT_COLUMNS, deposits)
  const payouts = each((facts) => facts.payouts)
  await add('payouts', PAYOUT_COLUMNS, payouts)
  const txs = each((facts) => facts.txs)
  await add('request_txs', TX_COLUMNS, txs)
  for (let at = 0; at < all.length; at += PIECE) await add('record_texts', TEXT_COLUMNS, all.slice(at, at + PIECE))
  return { ids: all.map(({ id }) => toBytea(id)), tables }
}

/** Requests that were paid, each with the number of its deposit. */
const numberedMovements = async (pool: pg.Pool, all: readonly RecordFacts[]) => {
  const paid = all.filter(({ deposits }) => deposits.length > 0)
  const { rows } = await pool.query<{ number: string }>(
    `select nextval(pg_get_serial_sequence('deposits', 'id'))::text as number from generate_series(1, $1)`,
    [paid.length],
  )
  return paid.map((facts, at) => ({ facts, number: rows[at]?.number ?? '' }))
}

const TEXT_COLUMNS: readonly Column<RecordFacts>[] = [
  { name: 'request_id', of: ({ id }) => toBytea(id) },
  { name: 'form', of: () => SEEDED_TEXTS.form },
  { name: 'packed', of: (facts) => packRecord(JSON.stringify(buildRecord(facts, SEEDED_CONTEXT))) },
]

/** The texts are current, so what touched the requests is done with. */
const sendBatch = async (client: ClientBase, { ids, tables }: Batch): Promise<void> => {
  for (const table of tables) await copyRows(client, table)
  await client.query(`delete from request_touches where request_id = any($1)`, [ids])
}

/** What a host does now and then (`foldCounts`), in this transaction and to the end. */
const foldAll = async (client: ClientBase): Promise<void> => {
  await client.query(`with gone as (delete from request_count_changes returning *)
    insert into request_counts as c (status, origin_chain_id, destination_chain_id, total)
    select status, origin_chain_id, destination_chain_id, sum(change) from gone group by 1, 2, 3
    on conflict (status, origin_chain_id, destination_chain_id) do update set total = c.total + excluded.total`)
}

/** Throws unless what the triggers keep of the requests is exactly what the tables say. */
export const checkSeeded = async (pool: pg.Pool): Promise<{ readonly requests: number; readonly terms: number }> => {
  const { rows } = await pool.query<{ requests: number; counted: number; terms: number; termed: number }>(`select
    (select count(*)::int from requests) as requests,
    (select coalesce(sum(total), 0)::int from request_counts) + (select coalesce(sum(change), 0)::int from request_count_changes) as counted,
    (select count(*)::int from request_terms) as terms,
    (select count(*)::int from requests where seq in (select seq from request_terms where kind = 'id')) as termed`)
  const [found] = rows
  if (found === undefined || found.requests !== found.counted || found.requests !== found.termed) {
    throw new Error(`The kept numbers differ from the tables: ${JSON.stringify(found)}`)
  }
  return found
}
