import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DashboardWorld,
  newWallet,
  type Person,
  signIn,
  signInOperator,
  startDashboard,
} from '../dashboardWorld.test.support.js'

const MINUTE = 60_000
const SESSION = '/dashboard/api/session'
const SESSIONS = '/dashboard/api/sessions'
const KEYS = '/dashboard/api/keys'

let world: DashboardWorld
beforeAll(async () => {
  world = await startDashboard()
})
afterAll(() => world?.close())

const tokenOf = ({ cookie }: Person): string => cookie.slice(cookie.indexOf('=') + 1)

describe('a session (cookie, idle and absolute expiry)', () => {
  it('is 401 without a cookie, with a forged, a malformed, an empty one, one of another deployment, or two', async () => {
    const person = await signIn(world)
    const other = await startDashboard({ beside: world, master: '8'.repeat(64) })
    const elsewhere = await signIn(other)
    await other.close()
    const name = 'causeway_sign_in'
    const token = tokenOf(person)
    const flipped = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`
    const cookies = [
      ...['', name, `${name}=`, `${name}=${flipped}`, `${name}=${token}x`, `${name}=${'%00'.repeat(20)}`, ';;;=;'],
      ...[`${name}="${token}"`, `${name}=${'x'.repeat(6_000)}`, `${name.toUpperCase()}=${token}`, elsewhere.cookie],
      ...[`${person.cookie}; ${person.cookie}`, `${name}=${flipped}; ${person.cookie}`],
    ]
    for (const cookie of cookies) {
      expect(await world.call(SESSION, { headers: { cookie } })).toMatchObject({
        status: 401,
        body: { message: expect.any(String) },
      })
    }
    expect(await world.call(SESSION)).toMatchObject({ status: 401 })
    // Browsers may still have the cookie of before, which was set for another path.
    for (const beside of ['a=b', `causeway_session=${flipped}`]) {
      const cookie = `${beside}; ${person.cookie}; c=d`
      expect(await world.call(SESSION, { headers: { cookie } })).toMatchObject({ status: 200 })
    }
  })

  it('ends when it is not used for an hour, and after twelve hours however much it is used', async () => {
    const host = await startDashboard({ beside: world, publicUrl: world.url })
    const idle = await signIn(host)
    host.tick(59 * MINUTE)
    expect(await host.as(idle, SESSION)).toMatchObject({ status: 200 })
    host.tick(59 * MINUTE)
    expect(await host.as(idle, SESSION)).toMatchObject({ status: 200 })
    host.tick(60 * MINUTE)
    expect(await host.as(idle, SESSION)).toMatchObject({ status: 401 })
    const busy = await signIn(host)
    for (let half = 1; half < 24; half += 1) {
      host.tick(30 * MINUTE)
      expect(await host.as(busy, SESSION)).toMatchObject({ status: 200 })
    }
    host.tick(30 * MINUTE)
    expect(await host.as(busy, SESSION)).toMatchObject({ status: 401 })
    await signIn(host)
    const { rows } = await world.database.pool.query<{ count: number }>(
      'select count(*)::int as count from dashboard_sessions where expires_at <= $1',
      [new Date(host.now())],
    )
    expect(rows[0]?.count).toBe(0)
    await host.close()
  })

  it('ends with a sign-out, which removes the cookie', async () => {
    const person = await signIn(world)
    const out = await world.as(person, SESSION, { method: 'DELETE' })
    expect(out).toMatchObject({ status: 200, cookies: [expect.stringMatching(/^causeway_sign_in=; .*Max-Age=0;/)] })
    expect(await world.as(person, SESSION)).toMatchObject({ status: 401 })
    expect(await world.as(person, SESSION, { method: 'DELETE' })).toMatchObject({ status: 401 })
  })

  it('is listed with those of the same wallet only; one or all of them can be ended', async () => {
    const wallet = newWallet()
    const [one, two, three] = [await signIn(world, wallet), await signIn(world, wallet), await signIn(world, wallet)]
    const stranger = await signIn(world)
    const { body } = await world.as(one, SESSIONS)
    const listed = body.sessions as { id: string; current: boolean }[]
    expect(listed).toHaveLength(3)
    expect(listed.filter(({ current }) => current)).toHaveLength(1)
    const twoId = (await world.as(two, SESSION)).body.id
    expect(await world.as(stranger, `${SESSIONS}/${twoId}`, { method: 'DELETE' })).toMatchObject({ status: 404 })
    expect(await world.as(one, `${SESSIONS}/${twoId}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      cookies: [],
    })
    expect(await world.as(two, SESSION)).toMatchObject({ status: 401 })
    expect(await world.as(one, `${SESSIONS}/x`, { method: 'DELETE' })).toMatchObject({ status: 400 })
    expect(await world.as(one, SESSIONS, { method: 'DELETE' })).toMatchObject({ status: 200 })
    for (const person of [one, three]) expect(await world.as(person, SESSION)).toMatchObject({ status: 401 })
    expect(await world.as(stranger, SESSION)).toMatchObject({ status: 200 })
  })

  it('of a wallet are at most twenty: the oldest ends', async () => {
    const wallet = newWallet()
    const host = await startDashboard({ beside: world, publicUrl: world.url })
    const people: Person[] = []
    for (let i = 0; i < 21; i += 1) {
      people.push(await signIn(host, wallet))
      host.tick(1)
    }
    const statuses = await Promise.all(people.map(async (person) => (await host.as(person, SESSION)).status))
    expect(statuses).toEqual([401, ...Array.from({ length: 20 }, () => 200)])
    await host.close()
  })
})

describe('a changing call', () => {
  it('needs the token of its own session and no page of another origin (CSRF)', async () => {
    const [person, other] = [await signIn(world), await signIn(world)]
    const make = (headers: Record<string, string>) =>
      world.call(KEYS, { body: { label: 'x' }, headers: { cookie: person.cookie, ...headers } })
    const good = { 'x-csrf-token': person.csrfToken }
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrfToken },
      { 'x-csrf-token': `${person.csrfToken}x` },
      { ...good, origin: 'https://evil.example' },
      { ...good, origin: 'null' },
      { ...good, 'sec-fetch-site': 'cross-site' },
      { ...good, 'sec-fetch-site': 'same-site' },
    ]) {
      expect(await make(headers)).toMatchObject({ status: 403, body: { message: expect.any(String) } })
    }
    expect((await world.as(person, KEYS)).body.keys).toEqual([])
    expect(await make({ ...good, origin: world.url, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
  })

  it('of a stranger is 401 before anything of its body (wire.md K.1 1)', async () => {
    const bad = { body: { label: 5, elevated: 'x' } }
    expect(await world.call(KEYS, bad)).toMatchObject({ status: 401 })
    expect(await world.call(`${KEYS}/x`, { ...bad, method: 'PATCH' })).toMatchObject({ status: 401 })
    expect(await world.call('/dashboard/api/audit?limit=x')).toMatchObject({ status: 401 })
    const person = await signIn(world)
    expect(await world.as(person, KEYS, bad)).toMatchObject({ status: 400 })
  })
})

describe('roles', () => {
  it('an operator gives a wallet the role and takes it, at once; the audit says who', async () => {
    const wallet = newWallet()
    const address = wallet.address.toLowerCase()
    const person = await signIn(world, wallet)
    const operator = await signInOperator(world)
    const audit = () => world.as(person, '/dashboard/api/audit?limit=1')
    const set = (isOperator: boolean) =>
      world.as(operator, `/dashboard/api/wallets/${wallet.address}`, { method: 'PUT', body: { operator: isOperator } })
    expect(await audit()).toMatchObject({ status: 403 })
    expect(await set(true)).toMatchObject({ status: 200, body: { address, operator: true } })
    const seen = await audit()
    expect(seen).toMatchObject({
      status: 200,
      body: {
        entries: [
          { actor: 'operator-token from 127.0.0.1', action: 'dashboard wallet set', subject: `wallet ${address}` },
        ],
      },
    })
    expect((await world.as(await signIn(world, wallet), SESSION)).body.role).toBe('operator')
    await set(false)
    expect(await audit()).toMatchObject({ status: 403 })
    expect((await world.as(person, SESSION)).body).toMatchObject({ role: 'integrator', moneyUntil: null })
  })

  it('an operator without an integrator comes in where wallets are not let in by themselves', async () => {
    const closed = await startDashboard({ beside: world, publicUrl: world.url, selfServe: false })
    const wallet = newWallet()
    const operator = await signInOperator(closed)
    await closed.as(operator, `/dashboard/api/wallets/${wallet.address}`, { method: 'PUT', body: { operator: true } })
    const who = await closed.as(await signIn(closed, wallet), SESSION)
    expect(who.body).toMatchObject({ role: 'operator', integrator: null })
    await closed.close()
  })

  it('a wallet that is forgotten is out at once; an unlinked one has no keys', async () => {
    const [first, second] = [newWallet(), newWallet()]
    const [gone, unlinked] = [await signIn(world, first), await signIn(world, second)]
    const operator = await signInOperator(world)
    const path = (address: string) => `/dashboard/api/wallets/${address}`
    expect(await world.as(operator, path(first.address), { method: 'DELETE' })).toMatchObject({ status: 200 })
    expect(await world.as(operator, path(first.address), { method: 'DELETE' })).toMatchObject({ status: 404 })
    expect(await world.as(gone, SESSION)).toMatchObject({ status: 401 })
    await world.as(operator, path(second.address), { method: 'PUT', body: { integratorId: null } })
    expect(await world.as(unlinked, KEYS)).toMatchObject({ status: 403 })
    expect(await world.as(unlinked, KEYS, { body: {} })).toMatchObject({ status: 403 })
  })

  it('wallets, integrators and the audit come in pages that leave nothing out', async () => {
    const operator = await signInOperator(world)
    for (const name of ['Page One', 'Page Two', 'Page 100%']) {
      expect(await world.as(operator, '/dashboard/api/integrators', { body: { name } })).toMatchObject({ status: 200 })
    }
    expect(await world.as(operator, '/dashboard/api/integrators', { body: { name: 'Page One' } })).toMatchObject({
      status: 409,
    })
    expect(await world.as(operator, '/dashboard/api/integrators', { body: { name: ' ' } })).toMatchObject({
      status: 400,
    })
    const all = async (path: string, field: string) => {
      const found: unknown[] = []
      for (let cursor: unknown = ''; cursor !== null; ) {
        const { body } = await world.as(operator, `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        found.push(...(body[field] as unknown[]))
        cursor = body.nextCursor
      }
      return found
    }
    const names = await all('/dashboard/api/integrators?limit=2&search=page%20', 'integrators')
    expect(names).toMatchObject([{ name: 'Page 100%' }, { name: 'Page One' }, { name: 'Page Two' }])
    const counted = async (table: string) =>
      (await world.database.pool.query(`select count(*)::int as count from ${table}`)).rows[0].count
    expect(await all('/dashboard/api/wallets?limit=3', 'wallets')).toHaveLength(await counted('dashboard_wallets'))
    expect(await all('/dashboard/api/audit?limit=40', 'entries')).toHaveLength(await counted('operator_audit'))
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'cursor=1;drop', 'subject=%00']) {
      expect(await world.as(operator, `/dashboard/api/audit?${query}`)).toMatchObject({ status: 400 })
    }
    const unknown = { integratorId: '00000000-0000-4000-8000-000000000000' }
    const set = (body: unknown) =>
      world.as(operator, `/dashboard/api/wallets/${newWallet().address}`, { method: 'PUT', body })
    expect(await set(unknown)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('integratorId') },
    })
    expect(await set({})).toMatchObject({ status: 400 })
  })
})
