import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, spawnHost } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import { expectAllTold, toldBy } from './toldEvents.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

const STATUSES = ['pending', 'submitted', 'success'] as const
/** A deployment without chains. */
const NO_CHAINS = { chains: [], keys: { payout: {} }, prices: {}, environment: {} }

/** Failpoints that a delivery passes, in their order. */
export const EVERY_WEBHOOK_PLACE = [
  'webhooks.enqueue.before',
  'webhooks.enqueue.after',
  'webhooks.claim.after',
  'webhooks.sent',
  'webhooks.finish.before',
  'webhooks.finish.after',
] as const

/** The status is committed but not queued (faults.md F102), and the delivery is sent but not recorded. */
export const SHORT_WEBHOOK_WALK = ['webhooks.enqueue.before', 'webhooks.sent'] as const

/** Adds the test: processes die one after the other, each at one of the failpoints, and no event is lost, reordered or changed. */
export const testWebhookKills = (places: readonly string[]): void => {
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
    await Promise.all(running.map(({ ended }) => ended))
    await world?.close()
  })

  const spawn = async (failpoint = ''): Promise<HostProcess> => {
    const host = await spawnHost({
      network: NO_CHAINS,
      databaseUrl: world.database.url,
      // The role `api` gives it the master key of the test configuration.
      roles: ['api', 'webhooks'],
      failpoint,
      morePlugins: [{ package: '@causeway/plugin-webhooks', options: world.trusting }],
    })
    running.push(host)
    return host
  }

  it(`processes killed at ${places.join(', ')} lose no event: the next one sends the same event (faults.md F102)`, {
    timeout: 120_000,
  }, async () => {
    const requests: string[] = []
    for (const place of places) {
      const doomed = await spawn(place)
      const request = await world.newRequest(key)
      requests.push(request)
      await world.move(request, STATUSES[0])
      expect(await doomed.ended, `at ${place}: ${doomed.log().slice(-500)}`).toBe('SIGKILL')
      for (const status of STATUSES.slice(1)) await world.move(request, status)
    }
    const last = await spawn()
    await until('every event to have arrived', async () => {
      const ids = new Set(toldBy(receiver.calls).map(({ id }) => id))
      return ids.size === requests.length * STATUSES.length ? true : null
    })
    await until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))
    expectAllTold(requests, STATUSES, toldBy(receiver.calls))
    last.signal('SIGTERM')
    expect(await last.ended).toBe('0')
  })
}
