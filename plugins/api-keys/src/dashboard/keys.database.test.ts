import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type DashboardWorld,
  newWallet,
  type Person,
  signIn,
  signInOperator,
  startDashboard,
} from './dashboardWorld.test.support.js'

const KEYS = '/dashboard/api/keys'
const NO_KEY = '00000000-0000-4000-8000-000000000000'

let world: DashboardWorld
let owner: Person
let other: Person
let operator: Person

beforeAll(async () => {
  world = await startDashboard()
  owner = await signIn(world)
  other = await signIn(world)
  operator = await signInOperator(world)
})
afterAll(() => world?.close())

const create = async (person: Person, body: Record<string, unknown> = {}) => {
  const answer = await world.as(person, KEYS, { body })
  expect(answer).toMatchObject({ status: 200, cacheControl: 'no-store' })
  return answer.body as { id: string; apiKey: string; integratorId: string }
}

it('a key is shown by the answer that makes it and by no other', async () => {
  const made = await create(owner, { label: 'production' })
  expect(made).toMatchObject({
    label: 'production',
    elevated: false,
    trusted: false,
    revokedAt: null,
    lastUsedAt: null,
  })
  expect(made.apiKey).toMatch(/^cct_test_[0-9A-Za-z]{43}$/)
  const listed = await world.as(owner, KEYS)
  expect(listed.body.keys).toMatchObject([{ id: made.id, label: 'production', prefix: made.apiKey.slice(0, 12) }])
  const renamed = await world.as(owner, `${KEYS}/${made.id}`, { method: 'PATCH', body: { label: 'staging' } })
  expect(renamed).toMatchObject({ status: 200, body: { label: 'staging' } })
  const revoked = await world.as(owner, `${KEYS}/${made.id}/revoke`, { body: {} })
  expect(revoked).toMatchObject({ status: 200, body: { revokedAt: expect.any(String) } })
  for (const answer of [listed, renamed, revoked]) expect(answer.text).not.toContain(made.apiKey)
  expect(world.logged()).not.toContain(made.apiKey)
  const { rows } = await world.database.pool.query<{ actor: string; action: string }>(
    'select actor, action from operator_audit where subject = $1 order by id',
    [`api key ${made.id}`],
  )
  expect(rows.map(({ action }) => action)).toEqual(['api-keys create', 'api-keys rename', 'api-keys revoke'])
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(
    new Set([expect.stringMatching(/^wallet 0x[0-9a-f]{40} from /)]),
  )
})

it('keys of others are 404, as those that do not exist, and stay as they are (ownership by integrator)', async () => {
  const { id } = await create(owner, { label: 'mine' })
  for (const key of [id, NO_KEY]) {
    const path = `${KEYS}/${key}`
    expect(await world.as(other, path, { method: 'PATCH', body: { label: 'theirs' } })).toMatchObject({ status: 404 })
    expect(await world.as(other, `${path}/revoke`, { body: {} })).toMatchObject({ status: 404 })
    expect(await world.as(other, path, { method: 'DELETE' })).toMatchObject({ status: 404 })
  }
  expect((await world.as(other, KEYS)).body.keys).toEqual([])
  expect((await world.as(owner, KEYS)).text).toContain('"label":"mine","')
})

it('two wallets of one integrator share its keys', async () => {
  const wallet = newWallet()
  const { integratorId, id } = await create(owner)
  await world.as(operator, `/dashboard/api/wallets/${wallet.address}`, { method: 'PUT', body: { integratorId } })
  const colleague = await signIn(world, wallet)
  expect(await world.as(colleague, `${KEYS}/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200 })
})

it('only operators import keys, raise their limits, trust them and name another integrator', async () => {
  const { id, integratorId } = await create(owner)
  const brought = { apiKey: 'brought-from-elsewhere-1', integratorId, label: 'old' }
  const foreign = (await create(other)).integratorId
  for (const [path, call] of [
    [KEYS, { body: { elevated: true } }],
    [KEYS, { body: { trusted: true } }],
    [`${KEYS}/${id}`, { method: 'PATCH', body: { trusted: true } }],
    [KEYS, { body: { integratorId: foreign } }],
    [`${KEYS}?integratorId=${foreign}`, {}],
    [`${KEYS}/${id}`, { method: 'PATCH', body: { elevated: true } }],
    [`${KEYS}/import`, { body: brought }],
    ['/dashboard/api/integrators', { body: { name: 'x' } }],
    ['/dashboard/api/integrators', {}],
    ['/dashboard/api/wallets', {}],
    [`/dashboard/api/wallets/${newWallet().address}`, { method: 'PUT', body: { operator: true } }],
    ['/dashboard/api/audit', {}],
  ] as const) {
    expect(await world.as(owner, path, call)).toMatchObject({ status: 403, body: { message: expect.any(String) } })
  }
  const raised = await world.as(operator, `${KEYS}/${id}`, { method: 'PATCH', body: { elevated: true } })
  expect(raised).toMatchObject({ status: 200, body: { elevated: true } })
  const trusted = await world.as(operator, `${KEYS}/${id}`, { method: 'PATCH', body: { trusted: true } })
  expect(trusted).toMatchObject({ status: 200, body: { trusted: true } })
  const imported = await world.as(operator, `${KEYS}/import`, { body: brought })
  expect(imported).toMatchObject({ status: 200, body: { integratorId, label: 'old', prefix: null } })
  expect(imported.text).not.toContain(brought.apiKey)
  const again = await world.as(operator, `${KEYS}/import`, { body: brought })
  expect(again).toMatchObject({ status: 409 })
  expect(again.text).not.toContain(brought.apiKey)
  expect((await world.as(operator, KEYS, { body: {} })).status).toBe(400)
  expect(await create(operator, { integratorId, elevated: true })).toMatchObject({
    integratorId,
    elevated: true,
    trusted: true,
  })
  expect(await world.as(operator, KEYS, { body: { integratorId: NO_KEY } })).toMatchObject({ status: 404 })
})

it('pages leave no key out and are at most 100 long', async () => {
  const person = await signIn(world)
  const made = new Set<string>()
  for (let i = 0; i < 7; i += 1) made.add((await create(person, { label: `k${i}` })).id)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await world.as(person, `${KEYS}?limit=3${cursor}`)
    seen.push(...(body.keys as { id: string }[]).map(({ id }) => id))
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(seen).toHaveLength(7)
  expect(new Set(seen)).toEqual(made)
  expect(await world.as(person, `${KEYS}?limit=101`)).toMatchObject({ status: 400 })
})

it.each([
  ['a label with a line break', KEYS, { body: { label: 'a\nb' } }],
  ['a label too long', KEYS, { body: { label: 'x'.repeat(101) } }],
  ['half a character', KEYS, { body: { label: '\ud800' } }],
  ['a NUL', KEYS, { body: { label: 'a\u0000' } }],
  ['an id that is none', `${KEYS}/x/revoke`, { body: {} }],
  ['a change of nothing', `${KEYS}/${NO_KEY}`, { method: 'PATCH', body: {} }],
  ['no JSON', KEYS, { body: '{"label":' }],
])('%s is 400', async (_, path, call) => {
  expect(await world.as(owner, path, call)).toMatchObject({ status: 400, body: { message: expect.any(String) } })
})
