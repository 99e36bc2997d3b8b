import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import { expectAllTold, toldBy } from './toldEvents.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const STATUSES = ['pending', 'submitted', 'success'] as const

let world: WebhookWorld
let receiver: Receiver
let key: TestKey
/** Between the host and its database. */
let wire: TcpProxy

beforeAll(async () => {
  world = await startWebhookWorld()
  receiver = await world.startReceiver()
  key = await world.newKey()
  const { hostname: host, port } = new URL(world.database.url)
  wire = await startTcpProxy({ host, port: Number(port) })
  const through = new URL(world.database.url)
  through.hostname = '127.0.0.1'
  through.port = String(wire.port)
  const keeper = await world.startHost({ databaseUrl: through.toString() })
  await world.connect(keeper, key, receiver.url)
})
afterAll(async () => {
  await wire?.restore().catch(() => undefined)
  await world?.close()
  await wire?.cut()
})

/** Calls that the receiver took and will answer. */
const held: (() => void)[] = []

const lost = () =>
  until('the sender to count as dead', async () => {
    const { rows } = await world.database.pool.query(
      'select from webhook_senders where alive_until > clock_timestamp()',
    )
    return rows.length === 0 ? true : null
  })

/** Ends the connections of the host, with their transactions. */
const terminate = async () => {
  await world.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and application_name = 'causeway test host'`,
  )
}

it.each([
  [
    'away for a moment, and back before the sender counts as dead',
    async (answer: () => void) => {
      await wire.cut()
      answer()
      await wire.restore()
    },
  ],
  [
    'away for so long that the sender counts as dead',
    async (answer: () => void) => {
      await wire.cut()
      answer()
      await lost()
      await wire.restore()
    },
  ],
  [
    'away while receivers think, and back before they answer',
    async (answer: () => void) => {
      await wire.cut()
      await lost()
      await wire.restore()
      await until('the sender to live again', async () => {
        const { rows } = await world.database.pool.query(
          'select from webhook_senders where alive_until > clock_timestamp()',
        )
        return rows.length > 0 ? true : null
      })
      answer()
    },
  ],
  [
    'ending every connection again and again',
    async (answer: () => void) => {
      for (let round = 0; round < 5; round += 1) await terminate()
      answer()
      for (let round = 0; round < 5; round += 1) await terminate()
    },
  ],
])(
  'the database is %s: every event arrives at least once, in the order of its request (faults.md F102, wire.md H.4)',
  async (_, outage) => {
    const before = receiver.calls.length
    receiver.behave((_call, response) => void held.push(() => response.writeHead(200).end()))
    const requests = await world.newRequests(key, 20)
    for (const status of STATUSES.slice(0, 2)) for (const id of requests) await world.move(id, status)
    await receiver.received(before + 2)
    await outage(() => {
      receiver.behave(200)
      for (const answer of held.splice(0)) answer()
    })
    receiver.behave(200)
    for (const id of requests) await world.move(id, 'success')
    await until('the queue to be empty', async () => {
      const arrived = new Set(toldBy(receiver.calls.slice(before)).map(({ id }) => id)).size
      return arrived >= requests.length * STATUSES.length && (await world.counts()).waiting === 0 ? true : null
    })
    expectAllTold(requests, STATUSES, toldBy(receiver.calls.slice(before)))
    const { rows } = await world.database.pool.query('select from webhook_streams')
    expect(rows).toEqual([])
  },
)

it('a result that cannot be stored while others can waits for the database, not for a later attempt', async () => {
  const { pool } = world.database
  receiver.behave(200)
  const requests = await world.newRequests(key, 5)
  await pool.query(`
    create sequence asked;
    create function busy() returns trigger language plpgsql as $$ begin
      perform nextval('asked');
      raise exception 'busy' using errcode = 'too_many_connections'; end $$;
    create trigger busy before insert on webhook_deliveries for each row
      when (new.request_id = '\\x${requests[0]?.slice(2)}') execute function busy()`)
  const before = receiver.calls.length
  for (const id of requests) await world.move(id, 'pending')
  await until('the others to be stored, and the one to be tried again', async () => {
    const { rows } = await pool.query('select last_value > 15 as often from asked')
    return rows[0]?.often === true && (await world.counts()).waiting === 1 ? true : null
  })
  await pool.query('drop trigger busy on webhook_deliveries')
  await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
  expect(receiver.calls).toHaveLength(before + requests.length)
})
