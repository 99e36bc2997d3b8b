import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from '@causeway/core'
import { changeStatuses, createPool, EVENTS_CHANNEL } from '@causeway/core/plugin'
import pg from 'pg'
import { newApiKey } from '../../harness/host/host.js'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import { signInOperator } from '../../harness/host/management.js'
import { until } from '../../harness/until.js'
import { type Authority, createAuthority } from '../../webhooks/certificates.js'
import { hang, type ReceivedCall, type Receiver, startReceiver } from '../../webhooks/receiver.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'

const PAUSE_MS = 4
const GIVE_UP_MS = 120_000
const NEXT = { action: 'await-deposit', at: Date.UTC(2200, 0) }
const ROUNDS = 6
/** Requests that are moved in one transaction. */
const STEP = 10_000

/** A host that sends webhooks, with one key whose receiver answers. */
interface Shop {
  readonly host: HostProcess
  readonly pool: pg.Pool
  readonly listener: pg.Client
  readonly keyId: string
  readonly receiver: Receiver
  /** Calls so far, and whoever waits for one. */
  readonly heard: { calls: number; onCall: (call: ReceivedCall) => void }
  /** Gives another key an endpoint there; its id. */
  connect(url: string): Promise<string>
  close(): Promise<void>
}

/** (p) Webhooks: from a status change to the call of its receiver, deliveries a second, and beside a dead receiver. */
export const measureWebhooks = async (world: BenchWorld): Promise<Measurement[]> => {
  const { changesToTell, deliveriesPerRound, deadQueue } = world.scale
  const authority = await createAuthority()
  const [alone, beside] = [await openShop(world, authority), await openShop(world, authority)]
  const [request, other] = [await newRequest(alone), await newRequest(beside)]
  await lags(alone, request, 10)
  const latency = await lags(alone, request, changesToTell)
  world.say(`webhooks: ${deliveriesPerRound} deliveries at once`)
  // The first burst opens the connections.
  await deliveriesPerSecond(alone, Math.ceil(deliveriesPerRound / 3))
  const rate = await deliveriesPerSecond(alone, deliveriesPerRound)
  world.say(`webhooks: ${deadQueue} events of a receiver that never answers`)
  const dead = await startReceiver(await authority.issue(['127.0.0.1']))
  dead.behave(hang)
  // The other host has as many events, which nobody is told of.
  const [nobody, deadKey] = [(await newApiKey(alone.pool, 'bench')).id, await beside.connect(dead.url)]
  await addEvents(alone, nobody, deadQueue)
  await addEvents(beside, deadKey, deadQueue)
  await untilQueued(beside, deadQueue)
  await Promise.all([alone, beside].map(({ pool }) => pool.query('vacuum analyze')))
  await alone.pool.query('checkpoint')
  await lags(alone, request, 20)
  await lags(beside, other, 20)
  const perRound = Math.ceil(changesToTell / ROUNDS)
  const run = (shop: Shop, id: Hex) => async () => {
    const { told } = await lags(shop, id, perRound)
    return { p50: percentile(told, 0.5), p99: percentile(told, 0.99) }
  }
  const found = await interleave(ROUNDS, { alone: run(alone, request), beside: run(beside, other) }, () => undefined)
  await Promise.all([alone, beside].map((shop) => shop.close()))
  await dead.close()
  const line = (share: 'p50' | 'p99', limit: number): Measurement => ({
    case: 'p',
    what: `the same beside ${deadQueue} events of a dead receiver, ${share}`,
    unit: 'ms',
    value: found.beside[share] ?? Number.NaN,
    floor: found.alone[share] ?? Number.NaN,
    floorIs: 'a host without a dead receiver',
    target: { of: 'ratio', limit, better: 'less' },
  })
  return [
    {
      case: 'p',
      what: 'status change to webhook call, p50',
      unit: 'ms',
      value: percentile(latency.told, 0.5),
      floor: percentile(latency.floor, 0.5),
      floorIs: 'the NOTIFY of the same commit',
      target: { of: 'ratio', limit: 10, better: 'less' },
    },
    {
      case: 'p',
      what: 'status change to webhook call, p99',
      unit: 'ms',
      value: percentile(latency.told, 0.99),
      floor: percentile(latency.floor, 0.99),
      floorIs: 'the NOTIFY of the same commit',
    },
    {
      case: 'p',
      what: 'deliveries a second to one receiver',
      unit: '1/s',
      value: rate,
      target: { of: 'value', limit: 500, better: 'more' },
    },
    line('p50', 1.15),
    line('p99', 1.5),
  ]
}

const openShop = async (world: BenchWorld, authority: Authority): Promise<Shop> => {
  const databaseUrl = await world.createDatabase()
  const caFile = join(mkdtempSync(join(tmpdir(), 'causeway-bench-webhooks-')), 'ca.pem')
  writeFileSync(caFile, authority.ca)
  const options = { allowPrivateTargets: true, caFile }
  const host = await world.startHost({
    databaseUrl,
    roles: ['api', 'webhooks'],
    morePlugins: [{ package: '@causeway/plugin-webhooks', options }],
  })
  const pool = createPool({ connectionString: databaseUrl, max: 4, applicationName: 'bench' })
  const heard: Shop['heard'] = { calls: 0, onCall: () => undefined }
  const receiver = await startReceiver(await authority.issue(['127.0.0.1']), {
    forget: true,
    onCall: (call) => {
      heard.calls += 1
      heard.onCall(call)
    },
  })
  const manage = await signInOperator(host.url, pool)
  const connect = async (url: string): Promise<string> => {
    const { id } = await newApiKey(pool, 'bench')
    const { status, text } = await manage('PUT', `/keys/${id}/webhook`, { url })
    if (status !== 200) throw new Error(text)
    return id
  }
  const listener = new pg.Client({ connectionString: databaseUrl })
  await listener.connect()
  await listener.query(`listen ${EVENTS_CHANNEL}`)
  return {
    ...{ host, pool, listener, receiver, heard, connect },
    keyId: await connect(receiver.url),
    close: async () => {
      await world.stopHost(host)
      await listener.end()
      await pool.end()
      await receiver.close()
    },
  }
}

const insertRequests = async (pool: pg.Pool, keyId: string, count: number): Promise<readonly Hex[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `insert into requests (id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency, user_address,
       recipient, amount_in, amount_out, terms, quoted_at, created_at, updated_at, next_action, next_action_at, api_key_id)
     select sha256(uuid_send(gen_random_uuid())), 'waiting', 1, 2, 'a', 'b', 'u', 'r', 1, 1, '{}', now(), now(), now(), 'await-deposit',
       '2200-01-01', $1 from generate_series(1, $2::int) returning encode(id, 'hex') as id`,
    [keyId, count],
  )
  return rows.map(({ id }): Hex => `0x${id}`)
}

const newRequest = async ({ pool, keyId }: Shop): Promise<Hex> => {
  const [id] = await insertRequests(pool, keyId, 1)
  if (id === undefined) throw new Error('No request was made')
  return id
}

/** Moves requests in one transaction; the time at which its commit began. */
const move = async (pool: pg.Pool, ids: readonly Hex[], to: 'pending' | 'waiting'): Promise<number> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await changeStatuses(
      client,
      ids.map((requestId) => ({ requestId, to, next: NEXT })),
      Date.now(),
    )
    const at = performance.now()
    await client.query('commit')
    return at
  } finally {
    client.release()
  }
}

interface Lags {
  /** Sorted milliseconds from the start of the commit to the call of the receiver. */
  readonly told: readonly number[]
  /** To the notification that PostgreSQL itself sends at the commit. */
  readonly floor: readonly number[]
}

/** Moves a request there and back, each time once the receiver has heard of the last. */
const lags = async (shop: Shop, request: Hex, changes: number): Promise<Lags> => {
  const told: number[] = []
  const floor: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const heard = new Promise<number>((resolve) => {
      shop.heard.onCall = ({ at }) => resolve(at)
    })
    const notified = new Promise<number>((resolve) =>
      shop.listener.once('notification', () => resolve(performance.now())),
    )
    const at = await move(shop.pool, [request], change % 2 === 0 ? 'pending' : 'waiting')
    const late = AbortSignal.timeout(GIVE_UP_MS)
    const gaveUp = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error('A receiver was not called.')))
    })
    told.push((await Promise.race([heard, gaveUp])) - at)
    floor.push((await notified) - at)
    await wait(PAUSE_MS)
  }
  if (changes % 2 === 1) {
    const before = shop.heard.calls
    await move(shop.pool, [request], 'waiting')
    await until('the last call', async () => (shop.heard.calls > before ? true : null))
  }
  const sorted = (values: number[]) => values.sort((left, right) => left - right)
  return { told: sorted(told), floor: sorted(floor) }
}

/** Many events at once: how many a second from the commit to the last call. */
const deliveriesPerSecond = async (shop: Shop, count: number): Promise<number> => {
  const ids = await insertRequests(shop.pool, shop.keyId, count)
  const wanted = shop.heard.calls + count
  const done = new Promise<number>((resolve) => {
    shop.heard.onCall = ({ at }) => {
      if (shop.heard.calls === wanted) resolve(at)
    }
  })
  const at = await move(shop.pool, ids, 'pending')
  return (count / ((await done) - at)) * 1_000
}

/** Events of as many requests. */
const addEvents = async ({ pool }: Shop, keyId: string, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= STEP) {
    await move(pool, await insertRequests(pool, keyId, Math.min(left, STEP)), 'pending')
  }
}

const untilQueued = ({ pool }: Shop, count: number): Promise<true> =>
  until(
    'the events to be in the queue',
    async () => {
      const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from webhook_queue')
      return (rows[0]?.count ?? 0) >= count ? true : null
    },
    GIVE_UP_MS,
  )
