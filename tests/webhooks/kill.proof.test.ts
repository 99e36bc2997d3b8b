import { afterAll, beforeAll, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const STATUSES = ['pending', 'submitted', 'success'] as const
/** A deployment without chains. */
const NO_CHAINS = { chains: [], keys: { payout: {} }, prices: {}, environment: {} }

let world: WebhookWorld
let receiver: Receiver
let key: TestKey
const running: HostProcess[] = []

beforeAll(async () => {
  world = await startWebhookWorld()
  receiver = await world.startReceiver()
  key = await world.newKey()
  const host = await world.startHost({ jobs: [] })
  await world.connect(host, key, receiver.url)
  await host.stop()
})
afterAll(async () => {
  for (const host of running) host.signal('SIGKILL')
  await world?.close()
})

const start = async (failpoint = '') => {
  const morePlugins = [{ package: '@causeway/plugin-webhooks', options: world.trusting }]
  const host = await startHostProcess({
    network: NO_CHAINS,
    databaseUrl: world.database.url,
    roles: ['api', 'webhooks'],
    ...{ failpoint, morePlugins },
  })
  running.push(host)
  return host
}

it.each([
  'webhooks.enqueue.before',
  'webhooks.enqueue.after',
  'webhooks.claim.after',
  'webhooks.sent',
  'webhooks.finish.after',
])(
  'a process killed at %s between the commit of a status and its delivery loses nothing: another sends the same event (faults.md F102)',
  async (place) => {
    const before = receiver.calls.length
    const doomed = await start(place)
    const request = await world.newRequest(key)
    await world.move(request, STATUSES[0])
    expect(await doomed.ended).toBe('SIGKILL')
    for (const status of STATUSES.slice(1)) await world.move(request, status)
    const heir = await start()
    await until('every event to have arrived', async () => {
      const ids = receiver.calls.slice(before).map(({ headers }) => headers['x-event-id'])
      return new Set(ids).size === STATUSES.length ? true : null
    })
    await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
    const own = receiver.calls.slice(before)
    const first = own.filter(
      ({ headers }, at) => own.findIndex((call) => call.headers['x-event-id'] === headers['x-event-id']) === at,
    )
    expect(first.map(({ body }) => textAt(JSON.parse(body), 'data.status'))).toEqual([...STATUSES])
    for (const { headers, body } of own) {
      expect(first.find((call) => call.headers['x-event-id'] === headers['x-event-id'])?.body).toBe(body)
    }
    heir.signal('SIGTERM')
    expect(await heir.ended).toBe('0')
  },
)
