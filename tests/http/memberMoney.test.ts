import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { execute, give, startSponsorWorld } from '../sponsorship/sponsorWorld.js'
import { operatorSession } from './dashboardErrors.js'
import { newWallet, signIn } from './dashboardSession.js'
import { type HttpWorld, postQuote, tokenBody } from './httpWorld.js'

type Headers = Readonly<Record<string, string>>
const API = '/dashboard/api'

let world: HttpWorld
let operator: Headers
let owner: Headers
let stranger: Headers
let wallet: string
let integratorId: string
let key: { readonly id: string; readonly apiKey: string }

const ask = (headers: Headers, path: string, more: { readonly method?: string; readonly body?: unknown } = {}) =>
  callApi(world.host.url, `${API}${path}`, { ...more, headers })

beforeAll(async () => {
  world = await startSponsorWorld({
    balances: {},
    'app-fees': {},
    usage: { flushSeconds: 1 },
    'rate-limits': { scale: 100 },
  })
  operator = await operatorSession(world)
  const account = newWallet()
  wallet = account.address.toLowerCase()
  owner = await signIn(world.host.url, account)
  stranger = await signIn(world.host.url)
  const made = await ask(owner, '/keys', { body: { label: 'shop' } })
  key = { id: textAt(made.body, 'id'), apiKey: textAt(made.body, 'apiKey') }
  integratorId = textAt(made.body, 'integratorId')
  await give(world, wallet, 5_000_000n)
})
afterAll(() => world?.close())

describe('money of the wallet of a member', () => {
  it('is that of the own wallet, and of the funding wallet once there is one', async () => {
    expect(await ask(owner, '/balances')).toMatchObject({
      status: 200,
      body: { wallet, of: 'own', totalBalanceUsd: 5, balances: [{ amount: '5000000' }] },
    })
    expect((await ask(owner, '/balances?of=funding')).status).toBe(404)
    expect((await ask(owner, '/funding-wallet', { method: 'PUT', body: {} })).status).toBe(200)
    for (const path of ['/balances', '/claims', '/balances/events', '/balances/statement', '/balances/spending']) {
      const answer = await ask(owner, path)
      expect([path, answer.status, valueAt(answer.body, 'wallet'), valueAt(answer.body, 'of')]).toEqual([
        path,
        200,
        wallet,
        'funding',
      ])
      const foreign = await ask(stranger, path)
      expect([path, foreign.status, valueAt(foreign.body, 'wallet') === wallet]).toEqual([path, 200, false])
      expect((await ask(stranger, `${path}?integratorId=${integratorId}`)).status, path).toBe(403)
      expect((await ask(operator, `${path}?integratorId=${integratorId}`)).status, path).toBe(200)
      expect((await ask(operator, `${path}?integratorId=${randomUUID()}`)).status, path).toBe(404)
      expect((await ask(operator, path)).status, path).toBe(404)
    }
  })

  it('has the same books by session as by key, and the same file', async () => {
    const events = await ask(owner, '/balances/events')
    const keyed = await callApi(world.host.url, `/balance-events/${wallet}`, { apiKey: key.apiKey })
    expect(events.body).toEqual({ of: 'funding', ...(keyed.body as object) })
    expect(listAt(events.body, 'events')).toHaveLength(1)
    const end = Math.floor(Date.now() / 1000) + 10
    const period = `startTimestamp=${end - 3_600}&endTimestamp=${end}`
    const statement = await ask(owner, `/balances/statement?${period}`)
    const byKey = await callApi(world.host.url, `/balance-statements/${wallet}?${period}`, { apiKey: key.apiKey })
    expect(statement.body).toEqual({ of: 'funding', ...(byKey.body as object) })
    const file = await ask(owner, `/balances/statement/csv?${period}`)
    const fileByKey = await callApi(world.host.url, `/balance-statements/${wallet}/csv?${period}`, {
      apiKey: key.apiKey,
    })
    expect([file.status, file.text]).toEqual([200, fileByKey.text])
    expect((await ask(owner, '/balances/statement?startTimestamp=9&endTimestamp=1')).status).toBe(400)
  })

  it('tells what a sponsor paid by day and by request, to the unit', async () => {
    const body = tokenBody(world, { subsidizeFees: true })
    const quoted = await until('a quote', async () => {
      const answer = await postQuote(world, body, '/quote', key.apiKey)
      return answer.status === 503 ? null : answer
    })
    expect(quoted.status, quoted.text).toBe(200)
    await execute(world, quoted.body, userOf(world.network, 0))
    const requestId = textAt(quoted.body, 'steps.0.requestId')
    const spending = await until('what was paid', async () => {
      const { body: found } = await ask(owner, '/balances/spending')
      return listAt(found, 'requests').length === 0 ? null : found
    })
    expect(listAt(spending, 'requests')).toMatchObject([{ requestId, symbol: 'USDC', decimals: 6 }])
    const paid = BigInt(textAt(spending, 'requests.0.amount'))
    expect(paid).toBeGreaterThan(0n)
    expect(listAt(spending, 'days')).toMatchObject([{ amount: `${paid}`, requests: 1 }])
    const { body: events } = await ask(owner, '/balances/events?context=pay-fees')
    expect(textAt(events, 'events.0.delta')).toBe(`-${paid}`)
    expect(listAt((await ask(stranger, '/balances/spending')).body, 'requests')).toEqual([])
  })
})

describe('what became of keys', () => {
  it('is made, renamed, elevated, used and revoked, each with who did it', async () => {
    const path = `/keys/${key.id}/history`
    await ask(owner, `/keys/${key.id}`, { method: 'PATCH', body: { label: 'till' } })
    await ask(operator, `/keys/${key.id}`, { method: 'PATCH', body: { elevated: true } })
    const history = await until('the use to be counted', async () => {
      const { body } = await ask(owner, path)
      return listAt(body, 'days').length === 0 ? null : body
    })
    expect(valueAt(history, 'events')).toMatchObject([
      { action: 'api-keys elevate', by: { kind: 'operator' } },
      { action: 'api-keys rename', by: { kind: 'member', wallet }, change: { label: 'till', labelBefore: 'shop' } },
      { action: 'api-keys create', by: { kind: 'member', wallet }, change: { label: 'shop', elevated: false } },
    ])
    expect(Number(valueAt(history, 'days.0.calls'))).toBeGreaterThan(0)
    expect(JSON.stringify(history)).not.toContain('127.0.0.1')
    expect(textAt((await ask(operator, path)).body, 'events.0.actor')).toContain('operator-token')
    const first = await ask(owner, `${path}?limit=1`)
    const second = await ask(owner, `${path}?limit=1&cursor=${textAt(first.body, 'nextCursor')}`)
    expect(valueAt(second.body, 'events')).toMatchObject([{ action: 'api-keys rename' }])
    expect((await ask(stranger, path)).status).toBe(404)
    expect((await ask(owner, `/keys/${randomUUID()}/history`)).status).toBe(404)
  })

  it('limits are told with what is left of them, and telling takes nothing', async () => {
    const made = await ask(owner, '/keys', { body: { label: 'limits' } })
    const [id, apiKey] = [textAt(made.body, 'id'), textAt(made.body, 'apiKey')]
    const bucketOf = async (who: Headers, name: string, query = '') => {
      const { body } = await ask(who, `/limits${query}`)
      const shown = listAt(body, 'keys').find((one) => valueAt(one, 'id') === id)
      return listAt(shown, 'buckets').find((one) => valueAt(one, 'bucket') === name)
    }
    expect(await bucketOf(owner, 'other')).toEqual({
      bucket: 'other',
      limit: 20_000,
      windowSeconds: 60,
      remaining: 20_000,
      resetSeconds: null,
    })
    for (let call = 0; call < 3; call += 1) await callApi(world.host.url, '/metrics/usage', { apiKey })
    const used = { limit: 20_000, remaining: 19_997, resetSeconds: expect.any(Number) }
    expect(await bucketOf(owner, 'other')).toMatchObject(used)
    expect(await bucketOf(operator, 'other', `?integratorId=${integratorId}`)).toMatchObject(used)
    expect(listAt((await ask(stranger, '/limits')).body, 'keys')).toEqual([])
    expect((await ask(stranger, `/limits?integratorId=${integratorId}`)).status).toBe(403)
    expect((await ask(operator, '/limits')).status).toBe(400)
  })
})
