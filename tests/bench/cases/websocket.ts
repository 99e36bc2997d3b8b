import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from '@causeway/core'
import { createPool, EVENTS_CHANNEL, fromBytea } from '@causeway/core/plugin'
import pg from 'pg'
import type { WebSocket } from 'ws'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import type { BenchWorld } from '../benchWorld.js'
import { percentile } from '../rounds.js'
import { followStatus, insertRequest, moveStatus, nextMessage } from '../statusChanges.js'
import type { Measurement } from '../table.js'

const PAUSE_MS = 4
/** Sockets that connect at a time. */
const AT_A_TIME = 100
const REALTIME = {
  package: '@causeway/plugin-realtime',
  options: { socketsPerAddress: 100_000, maxSockets: 100_000 },
}

/** (q) From a status change to a websocket client, on one host and on two; memory of many idle subscribers. */
export const measureWebsocket = async (world: BenchWorld): Promise<Measurement[]> => {
  const { changesToTell, idleSubscribers } = world.scale
  const databaseUrl = await world.createDatabase()
  const start = () => world.startHost({ databaseUrl, roles: ['api'], morePlugins: [REALTIME] })
  const first = await start()
  const pool = createPool({ connectionString: databaseUrl, max: 4, applicationName: 'bench' })
  const request = await insertRequest(pool, [1, 2])
  const one = await lags(world, { pool, databaseUrl, request, hosts: [first] }, changesToTell)
  const before = await residentMegabytes(first)
  world.say(`websocket: ${idleSubscribers} idle subscribers`)
  const idle = await openMany(first, idleSubscribers)
  const more = (await residentMegabytes(first)) - before
  const beside = await lags(world, { pool, databaseUrl, request, hosts: [first] }, changesToTell)
  for (const socket of idle) socket.terminate()
  const second = await start()
  const two = await lags(world, { pool, databaseUrl, request, hosts: [first, second] }, changesToTell)
  await pool.end()
  await Promise.all([first, second].map((host) => world.stopHost(host)))
  const line = (what: string, { told, floor }: Lags, share: number, limit?: number): Measurement => ({
    case: 'q',
    what: `${what}, p${share * 100}`,
    unit: 'ms',
    value: percentile(told, share),
    floor: percentile(floor, share),
    floorIs: 'the NOTIFY of the same commit',
    ...(limit === undefined ? {} : { target: { of: 'value', limit, better: 'less' } }),
  })
  return [
    line('status change to client, one host', one, 0.5, 20),
    line('status change to client, one host', one, 0.99),
    line('status change to client, two hosts', two, 0.5, 50),
    line('status change to client, two hosts', two, 0.99),
    line(`the same beside ${idleSubscribers} idle subscribers`, beside, 0.5),
    {
      case: 'q',
      what: `memory of ${idleSubscribers} idle subscribers`,
      unit: 'MB',
      value: more,
      target: { of: 'value', limit: 150, better: 'less' },
    },
  ]
}

interface Lags {
  /** Sorted milliseconds from the start of the commit to the last of the clients. */
  readonly told: readonly number[]
  /** To the notification that PostgreSQL itself sends at the commit. */
  readonly floor: readonly number[]
}

interface Stage {
  readonly pool: pg.Pool
  readonly databaseUrl: string
  readonly request: Hex
  readonly hosts: readonly HostProcess[]
}

/** Moves a request again and again, each time once everybody has heard of the last. */
const lags = async (world: BenchWorld, stage: Stage, changes: number): Promise<Lags> => {
  world.say(`websocket: ${changes} changes, ${stage.hosts.length} host(s)`)
  const listener = new pg.Client({ connectionString: stage.databaseUrl })
  await listener.connect()
  await listener.query(`listen ${EVENTS_CHANNEL}`)
  const sockets = await Promise.all(stage.hosts.map(({ url }) => followStatus(url, stage.request)))
  const told: number[] = []
  const floor: number[] = []
  for (let change = 0; change < changes; change += 1) {
    const heard = Promise.all(sockets.map((socket) => nextMessage(socket))).then(() => performance.now())
    const notified = new Promise<number>((resolve) => listener.once('notification', () => resolve(performance.now())))
    const at = await moveStatus(stage.pool, stage.request)
    told.push((await heard) - at)
    floor.push((await notified) - at)
    await wait(PAUSE_MS)
  }
  for (const socket of sockets) socket.terminate()
  await listener.end()
  const sorted = (values: number[]) => values.sort((left, right) => left - right)
  return { told: sorted(told), floor: sorted(floor) }
}

const openMany = async ({ url }: HostProcess, count: number): Promise<readonly WebSocket[]> => {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const few = Math.min(AT_A_TIME, count - sockets.length)
    const opening = Array.from({ length: few }, () => followStatus(url, fromBytea(randomBytes(32))))
    sockets.push(...(await Promise.all(opening)))
  }
  return sockets
}

const BYTES_IN_MB = 1_000_000

/** As the host itself reports it. */
const residentMegabytes = async ({ url }: HostProcess): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]
  if (bytes === undefined) throw new Error('The host does not report its memory.')
  return Number(bytes) / BYTES_IN_MB
}
