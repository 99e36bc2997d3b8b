import { createHmac } from 'node:crypto'
import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DashboardWorld,
  newWallet,
  personOf,
  SIGNLESS_CHAIN_ID,
  sendSignIn,
  signIn,
  signInOperator,
  siweMessage,
  startDashboard,
} from '../dashboardWorld.test.support.js'

const MINUTE = 60_000
const SESSION = '/dashboard/api/session'

let world: DashboardWorld
beforeAll(async () => {
  world = await startDashboard()
})
afterAll(() => world?.close())

const auditOf = async (action: string) => {
  const { rows } = await world.database.pool.query<{ actor: string; details: Record<string, unknown> }>(
    'select actor, details from operator_audit where action = $1 order by id',
    [action],
  )
  return rows
}

describe('signing in with a wallet (EIP-4361)', () => {
  it('opens a session of an integrator of its own, and the audit has it with the client', async () => {
    const wallet = newWallet()
    const address = wallet.address.toLowerCase()
    const answer = await sendSignIn(world, wallet, await siweMessage(world, wallet))
    expect(answer).toMatchObject({ status: 200, cacheControl: 'no-store' })
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^causeway_sign_in=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ])
    const who = await world.as(personOf(answer), SESSION)
    expect(who).toMatchObject({
      status: 200,
      body: { role: 'integrator', wallet: address, integrator: { name: address } },
    })
    expect(who.body.csrfToken).toBe(answer.body.csrfToken)
    const signedIn = await auditOf('dashboard sign-in')
    expect(signedIn.at(-1)).toEqual({ actor: `wallet ${address} from 127.0.0.1`, details: { isNew: true } })
  })

  it('a wallet that comes again is the same integrator, also from two hosts at once', async () => {
    const second = await startDashboard({ beside: world, publicUrl: world.url })
    const wallet = newWallet()
    const people = await Promise.all([signIn(world, wallet), signIn(second, wallet), signIn(world, wallet)])
    const who = await Promise.all(people.map((person) => world.as(person, SESSION)))
    const ids = who.map(({ body }) => Reflect.get(Object(body.integrator), 'id'))
    expect(new Set(ids).size).toBe(1)
    await second.close()
  })

  it('the database shows neither the session nor the operator token', async () => {
    const token = await world.operatorToken()
    const person = personOf(await world.call(`${SESSION}/operator`, { body: { token } }))
    await world.operatorToken()
    const { rows } = await world.database.pool.query(
      'select dashboard_sessions::text as text from dashboard_sessions union all select operator_audit::text from operator_audit',
    )
    const stored = JSON.stringify(rows)
    const secret = person.cookie.split('=')[1] ?? ''
    for (const text of [secret, Buffer.from(secret).toString('hex'), token, person.csrfToken]) {
      expect(stored).not.toContain(text)
      expect(world.logged()).not.toContain(text)
    }
  })

  it('a nonce works once, also where two hosts take it at the same moment', async () => {
    const second = await startDashboard({ beside: world, publicUrl: world.url })
    const wallet = newWallet()
    const message = await siweMessage(world, wallet)
    const answers = await Promise.all([world, second, world, second].map((host) => sendSignIn(host, wallet, message)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    const later = await sendSignIn(world, wallet, message)
    expect(later).toMatchObject({ status: 401, body: { message: expect.stringContaining('used before') } })
    await second.close()
  })

  it.each<[string, (now: number) => Partial<SiweMessage>, RegExp]>([
    ['of another domain', () => ({ domain: 'evil.example' }), /another domain/],
    ['of another port', () => ({ domain: '127.0.0.1:1' }), /another domain/],
    ['of another scheme', () => ({ scheme: 'https' }), /scheme/],
    ['of another URI', () => ({ uri: 'https://evil.example' }), /URI/],
    ['of a path below the URI', () => ({ uri: `${world.url}/x` }), /URI/],
    ['of another chain', () => ({ chainId: 1 }), /chain/],
    ['of a chain whose wallets do not sign in', () => ({ chainId: SIGNLESS_CHAIN_ID }), /chain/],
    ['with another statement', () => ({ statement: 'I give everything away' }), /statement/],
    ['without a statement', () => ({ statement: undefined }), /statement/],
    ['with resources', () => ({ resources: ['https://evil.example/all'] }), /resources/],
    ['with a nonce of nobody', () => ({ nonce: 'a'.repeat(84) }), /nonce/],
    ['with a short nonce', () => ({ nonce: '12345678' }), /nonce/],
    ['issued in the future', (now) => ({ issuedAt: new Date(now + 2 * MINUTE) }), /future/],
    ['issued long ago', (now) => ({ issuedAt: new Date(now - 11 * MINUTE) }), /too old/],
    ['that has expired', (now) => ({ expirationTime: new Date(now - 1) }), /expired/],
    ['not valid yet', (now) => ({ notBefore: new Date(now + 2 * MINUTE) }), /not valid yet/],
  ])('a message %s is 401 with a reason', async (_, change, reason) => {
    const wallet = newWallet()
    const message = await siweMessage(world, wallet, change(world.now()))
    const answer = await sendSignIn(world, wallet, message)
    expect(answer).toMatchObject({ status: 401, body: { message: expect.stringMatching(reason) }, cookies: [] })
    expect((await auditOf('dashboard sign-in refused')).at(-1)).toMatchObject({
      actor: 'stranger from 127.0.0.1',
      details: { way: 'wallet', reason: answer.body.message },
    })
  })

  it.each<[string, (message: string) => string]>([
    ['text before it', (message) => `hello\n${message}`],
    ['text behind it', (message) => `${message}\nhello`],
    ['a line twice', (message) => message.replace(/(Chain ID: .*)/, '$1\n$1')],
    ['version 2', (message) => message.replace('Version: 1', 'Version: 2')],
    ['a time in words', (message) => message.replace(/Issued At: .*/, 'Issued At: today')],
    ['carriage returns', (message) => message.replaceAll('\n', '\r\n')],
  ])('a message with %s is 401', async (_, change) => {
    const wallet = newWallet()
    const message = change(await siweMessage(world, wallet))
    expect(await sendSignIn(world, wallet, message)).toMatchObject({ status: 401, cookies: [] })
  })

  it('an expired nonce is refused', async () => {
    const other = await startDashboard({ beside: world, publicUrl: world.url })
    const wallet = newWallet()
    const message = await siweMessage(other, wallet, { issuedAt: new Date(other.now() + 9 * MINUTE) })
    other.tick(10 * MINUTE + 1)
    const answer = await sendSignIn(other, wallet, message)
    expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining('nonce has expired') } })
    await other.close()
  })

  it('a nonce of another deployment is refused', async () => {
    const other = await startDashboard({ master: '8'.repeat(64), beside: world, publicUrl: world.url })
    const wallet = newWallet()
    const message = await siweMessage(other, wallet)
    expect(await sendSignIn(world, wallet, message)).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('nonce') },
    })
    await other.close()
  })

  it('a signature of another wallet, of another message, or of a contract account is 401', async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    const message = await siweMessage(world, wallet)
    const signatures = [
      await other.signMessage({ message }),
      await wallet.signMessage({ message: `${message} ` }),
      '0x',
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(64)}1b`,
      `0x${'6492'.repeat(32)}`,
      'not a signature',
    ]
    for (const signature of signatures) {
      const answer = await world.call(SESSION, { body: { message, signature } })
      expect(answer).toMatchObject({
        status: 401,
        cookies: [],
        body: { message: expect.stringContaining('signature') },
      })
    }
  })

  it('a call from a page of another origin is 403, one without an origin or of the own is let in', async () => {
    const wallet = newWallet()
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await sendSignIn(world, wallet, await siweMessage(world, wallet), headers)).toMatchObject({ status: 403 })
      expect(await world.call(`${SESSION}/nonce`, { method: 'POST', headers })).toMatchObject({ status: 403 })
      expect(await world.call(`${SESSION}/operator`, { body: { token: 'x' }, headers })).toMatchObject({ status: 403 })
    }
    const own = { origin: world.url, 'sec-fetch-site': 'same-origin' }
    expect(await sendSignIn(world, wallet, await siweMessage(world, wallet), own)).toMatchObject({ status: 200 })
  })
})

describe('where people reach the deployment', () => {
  it('a Host header of somebody else is no address of ours', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1@evil.example', '127.0.0.1:99999']) {
      const answer = await world.call(`${SESSION}/nonce`, { method: 'POST', headers: { host } })
      expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining('dashboard.publicUrl') } })
    }
  })

  it('a listener of every interface needs the public URL, whatever is asked for', async () => {
    const open = await startDashboard({ beside: world, listenHost: '0.0.0.0' })
    expect(await open.call(`${SESSION}/nonce`, { method: 'POST' })).toMatchObject({ status: 403 })
    await open.close()
  })

  it('over HTTPS the cookie has Secure and its prefix, and the plain name counts for nothing', async () => {
    const secure = await startDashboard({ beside: world, publicUrl: 'https://transfer.example/' })
    const wallet = newWallet()
    const answer = await sendSignIn(secure, wallet, await siweMessage(secure, wallet))
    expect(answer.cookies).toEqual([expect.stringMatching(/^__Host-causeway_session=.*; SameSite=Strict; Secure$/)])
    const { cookie, csrfToken } = personOf(answer)
    expect(await secure.as({ cookie, csrfToken }, SESSION)).toMatchObject({ status: 200 })
    const plain = { cookie: cookie.replace('__Host-', ''), csrfToken }
    expect(await secure.as(plain, SESSION)).toMatchObject({ status: 401 })
    await secure.close()
  })
})

describe('without self-service', () => {
  it('an unknown wallet is 403 and leaves nothing, a linked one comes in', async () => {
    const closed = await startDashboard({ beside: world, publicUrl: world.url, selfServe: false })
    const [stranger, linked] = [newWallet(), newWallet()]
    expect(await sendSignIn(closed, stranger, await siweMessage(closed, stranger))).toMatchObject({
      status: 403,
      cookies: [],
    })
    const { rows } = await world.database.pool.query('select 1 from dashboard_wallets where address = $1', [
      stranger.address.toLowerCase(),
    ])
    expect(rows).toEqual([])
    const operator = await signInOperator(closed)
    const made = await closed.as(operator, '/dashboard/api/integrators', { body: { name: 'Linked Ltd' } })
    const set = await closed.as(operator, `/dashboard/api/wallets/${linked.address}`, {
      method: 'PUT',
      body: { integratorId: made.body.id },
    })
    expect(set).toMatchObject({ status: 200, body: { integratorId: made.body.id, operator: false } })
    const who = await closed.as(await signIn(closed, linked), SESSION)
    expect(who.body).toMatchObject({ integrator: { name: 'Linked Ltd' }, role: 'integrator' })
    await closed.close()
  })
})

describe('an operator token of the command line', () => {
  it('opens one session, once', async () => {
    const token = await world.operatorToken()
    const answers = await Promise.all([1, 2, 3].map(() => world.call(`${SESSION}/operator`, { body: { token } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const [opened] = answers.filter(({ status }) => status === 200).map(personOf)
    const { body } = await world.as(opened ?? { cookie: '', csrfToken: '' }, SESSION)
    expect(body).toMatchObject({ role: 'operator', wallet: null, integrator: null })
    const left = Date.parse(String(body.moneyUntil)) - world.now()
    expect([left > 4 * MINUTE, left <= 5 * MINUTE]).toEqual([true, true])
    expect((await auditOf('dashboard sign-in')).at(-1)?.actor).toBe('operator-token from 127.0.0.1')
  })

  it('is refused after 15 minutes, of another deployment, and when it is none', async () => {
    const other = await startDashboard({ beside: world, publicUrl: world.url })
    const late = await other.operatorToken()
    other.tick(15 * MINUTE)
    expect(await other.call(`${SESSION}/operator`, { body: { token: late } })).toMatchObject({ status: 401 })
    await other.close()
    const foreign = await startDashboard({ beside: world, master: '9'.repeat(64), publicUrl: world.url })
    const token = await foreign.operatorToken()
    await foreign.close()
    for (const given of [token, '', 'x'.repeat(200), createHmac('sha256', 'x').update('x').digest('hex')]) {
      expect(await world.call(`${SESSION}/operator`, { body: { token: given } })).toMatchObject({ status: 401 })
    }
  })
})

it('refusals of strangers fill the audit slowly, and what was left out is counted', async () => {
  const fresh = await startDashboard({ beside: world, publicUrl: world.url })
  const before = (await auditOf('dashboard sign-in refused')).length
  for (let i = 0; i < 65; i += 1) await fresh.call(`${SESSION}/operator`, { body: { token: 'x' } })
  expect((await auditOf('dashboard sign-in refused')).length - before).toBe(60)
  fresh.tick(MINUTE)
  await fresh.call(`${SESSION}/operator`, { body: { token: 'x' } })
  expect((await auditOf('dashboard sign-in refused')).at(-1)?.details).toMatchObject({ leftOutBefore: 5 })
  await fresh.close()
})
