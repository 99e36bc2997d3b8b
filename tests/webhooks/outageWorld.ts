import { afterAll, beforeAll, expect } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import { expectAllTold, toldBy } from './toldEvents.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const STATUSES = ['pending', 'submitted', 'success'] as const

export let world: WebhookWorld
export let receiver: Receiver
export let key: TestKey
/** Between the host and its database. */
export let wire: TcpProxy

/** Starts a host that reaches its database through a proxy before the tests of a file, and stops it afterwards. */
export const useOutages = (): void => {
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
}

const liveSenders = async (): Promise<number> => {
  const { rows } = await world.database.pool.query('select from webhook_senders where alive_until > clock_timestamp()')
  return rows.length
}

/** Waits until the sender counts as dead. */
export const lost = () => until('the sender to count as dead', async () => ((await liveSenders()) === 0 ? true : null))

/** Waits until a sender counts as alive. */
export const alive = () => until('the sender to live again', async () => ((await liveSenders()) > 0 ? true : null))

/** Runs an outage while the receiver holds its answers. @throws Error unless every event arrives, in order */
export const expectEveryEvent = async (outage: (answer: () => void) => Promise<void>): Promise<void> => {
  const held: (() => void)[] = []
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
}
