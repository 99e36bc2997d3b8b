import { setFailpointHandler } from '@causeway/core/plugin'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import type { Receiver } from './receiver.js'
import { expectAllTold, toldBy } from './toldEvents.js'
import type { WebhookHost } from './webhookHost.js'
import { startWebhookWorld, type TestKey, type WebhookWorld } from './webhookWorld.js'

/** Places where a host may be when it dies, in the order a delivery passes them. */
const PLACES = [
  'webhooks.enqueue.before',
  'webhooks.enqueue.after',
  'webhooks.claim.after',
  'webhooks.sent',
  'webhooks.finish.before',
  'webhooks.finish.after',
] as const

const STATUSES = ['pending', 'submitted', 'success'] as const

let world: WebhookWorld
let receiver: Receiver
let keys: readonly TestKey[]
let hosts: WebhookHost[]

beforeAll(async () => {
  world = await startWebhookWorld()
  receiver = await world.startReceiver()
  const host = await world.startHost({ jobs: [] })
  keys = await Promise.all([world.newKey(), world.newKey()])
  for (const key of keys) await world.connect(host, key, `${receiver.url}/${key.id}`)
  await host.stop()
})
afterAll(() => world?.close())
beforeEach(() => {
  hosts = []
})
afterEach(async () => {
  setFailpointHandler(null)
  await Promise.all(hosts.map((host) => host.stop().catch(() => undefined)))
})

const start = async () => {
  const host = await world.startHost({ webhooks: { retryDelaysSeconds: [0, 0, 0, 0, 0, 0] } })
  hosts.push(host)
  return host
}

const allOver = () => until('the queue to be empty', async () => ((await world.counts()).waiting === 0 ? true : null))

/**
 * Two hosts over one outbox; each time a host passes the place the crash says, it dies there and another starts.
 *
 * @param certain that each place is passed so often that every crash comes to pass, and is waited for.
 */
const runWithCrashes = async (
  crashes: readonly { readonly place: string; readonly pass: number }[],
  { certain = false }: { readonly certain?: boolean } = {},
) => {
  const before = receiver.calls.length
  const plan = [...crashes]
  const deaths: Promise<unknown>[] = []
  let passes = 0
  // Whoever passes there goes on as if it had been asleep.
  setFailpointHandler(async (name) => {
    const [next] = plan
    if (next?.place !== name) return
    passes += 1
    if (passes < next.pass) return
    plan.shift()
    passes = 0
    const victim = hosts.shift()
    deaths.push(
      (async () => {
        await victim?.kill()
        await start()
      })(),
    )
  })
  await Promise.all([start(), start()])
  const requests = (await Promise.all(keys.map((key) => world.newRequests(key, 3)))).flat()
  for (const status of STATUSES) {
    for (const request of requests) await world.move(request, status)
    // However many moves one pass takes together, those of the next status take another.
    if (certain) await receiver.received(before + 1)
  }
  if (certain) await until('every crash to have come', async () => (plan.length === 0 ? true : null))
  await until('every event to have arrived', async () => {
    const told = toldBy(receiver.calls.slice(before))
    const distinct = new Set(told.map(({ id }) => id))
    return distinct.size >= requests.length * STATUSES.length ? true : null
  })
  plan.length = 0
  await Promise.all(deaths)
  await allOver()
  expectAllTold(requests, STATUSES, toldBy(receiver.calls.slice(before)))
  return deaths.length
}

describe('at least once, in the order of the request, the same event and bytes each time (faults.md F102, wire.md H.4)', () => {
  it('whatever hosts die where, with receivers that fail now and then', async () => {
    const crash = fc.record({ place: fc.constantFrom(...PLACES), pass: fc.integer({ min: 1, max: 6 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(crash, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 2, max: 5 }),
        async (crashes, every) => {
          let calls = 0
          receiver.behave((_call, response) => {
            calls += 1
            // Some are refused, some are taken without an answer: those come again.
            if (calls % every === 0) response.writeHead(500).end()
            else if (calls % (every + 3) === 0) response.destroy()
            else response.writeHead(200).end()
          })
          await runWithCrashes(crashes)
          await Promise.all(hosts.splice(0).map((host) => host.stop()))
        },
      ),
      { numRuns: 5, endOnFailure: true, ...(process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }) },
    )
  }, 240_000)

  it.each(PLACES)('a host that dies at %s loses nothing', async (place) => {
    receiver.behave(200)
    expect(await runWithCrashes([{ place, pass: 2 }], { certain: true })).toBe(1)
  })
})

describe('two hosts over one outbox', () => {
  it('share the work and send no event twice', async () => {
    receiver.behave(200)
    await Promise.all([start(), start()])
    const before = receiver.calls.length
    const open: (() => void)[] = []
    receiver.behave((_call, response) => void open.push(() => response.writeHead(200).end()))
    const requests = await world.newRequests(keys[0] ?? null, 60)
    for (const request of requests) await world.move(request, 'pending')
    // Neither may have more than two under way to a receiver that never answered: the third is the other's.
    await receiver.received(before + 3)
    const { rows } = await world.database.pool.query(
      'select distinct claimed_by from webhook_streams where claimed_by is not null',
    )
    expect(rows).toHaveLength(2)
    receiver.behave(200)
    for (const answer of open) answer()
    await receiver.received(before + 60)
    await allOver()
    const ids = toldBy(receiver.calls.slice(before)).map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([60, 60])
  })
})
