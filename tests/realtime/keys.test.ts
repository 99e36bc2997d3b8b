import { afterAll, beforeAll, expect, it } from 'vitest'
import { followSocket, type SocketFollower } from '../harness/socketFollower.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'

let world: HttpWorld

beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ realtime: { socketsPerAddress: 3 } }) })
})
afterAll(() => world?.close())

const begun = async (follower: SocketFollower): Promise<SocketFollower> => {
  await until('the subscription', async () => follower.cursor)
  return follower
}

const NOBODYS = { id: `0x${'77'.repeat(32)}` }

it('a key of the host opens its own stream, in the query or the header; another is closed with 4401 at once (wire.md 5.1, H.4)', async () => {
  const apiKey = world.host.apiKey
  for (const options of [{ apiKey }, { headers: { 'x-api-key': apiKey } }]) {
    const follower = await begun(followSocket(world.host.url, options))
    follower.end()
  }
  expect(await followSocket(world.host.url, { apiKey: `cct_test_${'A'.repeat(43)}` }).closed).toBe(4401)
})

it('a revoked key loses its sockets with 4401, and no other key does (wire.md H.1)', async () => {
  const { id, apiKey } = await world.host.createApiKey('leaving')
  const [leaving, staying, anonymous] = await Promise.all(
    [{ apiKey }, { apiKey: world.host.apiKey }, { filters: NOBODYS }].map((options) =>
      begun(followSocket(world.host.url, options)),
    ),
  )
  const others = [staying, anonymous].map(async (follower) => {
    await follower?.closed
    throw new Error('Somebody else was sent away.')
  })
  await world.host.revokeApiKey(id)
  expect(await Promise.race([leaving?.closed, ...others])).toBe(4401)
  for (const follower of [staying, anonymous]) follower?.end()
  await Promise.allSettled(others)
  expect(await followSocket(world.host.url, { apiKey }).closed).toBe(4401)
})

it('an address that no trusted proxy vouches for is that of the connection: a header makes no room (wire.md H.4)', async () => {
  const open = (at: number) =>
    followSocket(world.host.url, { filters: NOBODYS, headers: { 'x-forwarded-for': `203.0.113.${at}` } })
  const followers = await Promise.all([1, 2, 3].map((at) => begun(open(at))))
  expect(await open(4).closed).toBe(429)
  for (const follower of followers) follower.end()
})

it('the routes of the API stay beside it: what is no websocket is answered as ever', async () => {
  expect((await fetch(`${world.host.url}/ws`)).status).toBe(404)
  const wished = await fetch(`${world.host.url}/intents/status/v3?requestId=${NOBODYS.id}`)
  expect(wished.status).toBe(404)
})
