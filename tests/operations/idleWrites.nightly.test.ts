import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const PLUGINS = ['webhooks', 'usage', 'realtime', 'requests-v3', 'requests-v2', 'rate-limits']

/** Blocks until the start is over, then those that are watched; a chain makes one a second. */
const SETTLING = 15n
const BLOCKS = 20n
/** Maximum bytes that an idle host on two chains writes to the log in a second: 155 MB a day. A slow machine writes less. */
const WAL_PER_SECOND = 1_800
const TRANSFERS = 5
/** Maximum bytes of one transfer, withdrawal included: twice what was measured (host/README.md). */
const WAL_PER_TRANSFER = 160_000

let network: LocalNetwork
let database: TestDatabase
let host: HostProcess

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 1 })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  host = await startHostProcess({
    network,
    databaseUrl: database.url,
    solver: {},
    config: { database: { url: database.url } },
    morePlugins: PLUGINS.map((name) => ({ package: `@causeway/plugin-${name}` })),
  })
})
afterAll(async () => {
  host?.signal('SIGTERM')
  await host?.ended
  await database?.drop()
  await network?.close()
})

/** Height of the chain that was read least far, and what each connection of the host has written to the log since it began. */
const look = async () => {
  const { rows } = await database.pool.query<{
    height: bigint
    seconds: number
    cursors: bigint
    written: Record<string, string>
  }>(
    `select coalesce((select min(height) from chain_cursors having count(*) = 2), -1) as height,
       extract(epoch from clock_timestamp())::float8 as seconds,
       pg_total_relation_size('chain_cursors') as cursors,
       (select json_object_agg(a.pid || ' ' || a.backend_start, w.wal_bytes::text) from pg_stat_activity a, pg_stat_get_backend_wal(a.pid) w
        where a.datname = current_database() and a.pid <> pg_backend_pid()) as written`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('no answer')
  return row
}

const readFrom = (height: bigint) =>
  until(`blocks up to ${height}`, async () => {
    const seen = await look()
    return seen.height >= height ? seen : null
  })

type Look = Awaited<ReturnType<typeof look>>

const writtenBetween = (before: Look, after: Look): number =>
  Object.entries(after.written).reduce(
    (sum, [connection, bytes]) => sum + Number(BigInt(bytes) - BigInt(before.written[connection] ?? '0')),
    0,
  )

/** Waits until a number of transfers is over, withdrawals included, and their records are stored. */
const transfersOver = (count: number) =>
  until(`${count} transfers to be over`, async () => {
    const { rows } = await database.pool.query<{ over: boolean }>(
      `select (select count(*) from payouts where purpose = 'withdraw' and state = 'final') = $1
         and not exists (select from payouts where next_action is not null) and not exists (select from request_touches) as over`,
      [count],
    )
    return rows[0]?.over === true ? true : null
  })

const transfer = async (): Promise<void> => {
  const request = nativeTransfer(network, 0)
  await executeQuote(network.chains[0].chain, userOf(network, 0), await quoteOverHttp(host.url, request))
}

it('F133: an idle host on chains that make blocks writes little, and its cursors take no room', async () => {
  const started = await readFrom(0n)
  // What a host writes when it starts, and when its connections say what they wrote, is over by then.
  const before = await readFrom(started.height + SETTLING)
  const after = await readFrom(before.height + BLOCKS)
  const perSecond = writtenBetween(before, after) / (after.seconds - before.seconds)
  console.info(`${Math.round(perSecond)} bytes of write-ahead log a second`)
  expect(perSecond).toBeLessThan(WAL_PER_SECOND)
  expect(perSecond).toBeGreaterThan(0)
  expect(after.cursors).toBeLessThan(120_000n)
})

it('F133: a transfer, from its quote to its withdrawal and its stored record, writes little', async () => {
  // The first one touches tables that were empty.
  await transfer()
  await transfersOver(1)
  const before = await look()
  for (let done = 1; done <= TRANSFERS; done += 1) {
    await transfer()
    await transfersOver(1 + done)
  }
  const perTransfer = writtenBetween(before, await look()) / TRANSFERS
  console.info(`${Math.round(perTransfer)} bytes of write-ahead log for a transfer`)
  expect(perTransfer).toBeLessThan(WAL_PER_TRANSFER)
  expect(perTransfer).toBeGreaterThan(0)
})
