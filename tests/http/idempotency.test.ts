import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { callApi, listAt, textAt } from '../harness/apiCall.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { ether, type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { KEYS, signIn } from './dashboardSession.js'
import { nativeBody } from './httpWorld.js'

/** A call is given up as dead after it, and so is one that a busy machine does not answer in time. */
const SHORT_LIMIT = { config: { http: { timeLimitSeconds: 4 } } }

let network: LocalNetwork
let database: TestDatabase
/** The host that lives on, beside one of each test's own. */
let other: HostProcess
const hosts: HostProcess[] = []

beforeAll(async () => {
  network = await startLocalNetwork({ swaps: false })
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  other = await start()
  await quotable(other)
})
beforeEach(() => database.pool.query('truncate quotes, idempotent_calls'))
afterAll(async () => {
  for (const host of hosts) {
    host.signal('SIGKILL')
    await host.ended
  }
  await database?.drop()
  await network?.close()
})

const start = async (options: Partial<HostProcessOptions> = {}): Promise<HostProcess> => {
  const host = await startHostProcess({ network, databaseUrl: database.url, ...options })
  hosts.push(host)
  return host
}

const quote = (host: HostProcess, key: string, more: Readonly<Record<string, unknown>> = {}) =>
  callApi(host.url, '/quote', { body: nativeBody({ network }, more), headers: { 'idempotency-key': key } })

/** Quotes are possible once the solver has read what it owns; a price is no quote. */
const quotable = (host: HostProcess): Promise<true> =>
  until('a quote to be possible', async () => {
    const { status } = await callApi(host.url, '/price', { body: nativeBody({ network }) })
    return status === 200 ? true : null
  })

const quotesStored = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ count: number }>('select count(*)::int as count from quotes')
  return rows[0]?.count ?? 0
}

it('a host that is killed after the quote was stored: another host answers the repeat with that quote (faults.md F94)', async () => {
  const dying = await start({ failpoint: 'idempotent.answer.before' })
  await quotable(dying)
  await expect(quote(dying, 'a')).rejects.toThrow()
  expect(await dying.ended).toBe('SIGKILL')
  const repeat = await quote(other, 'a')
  expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  const { rows } = await database.pool.query<{ id: string }>(`select '0x' || encode(id, 'hex') as id from quotes`)
  expect(rows).toEqual([{ id: textAt(repeat.body, 'requestId') }])
  expect((await quote(other, 'a')).text).toBe(repeat.text)
})

it('a host that is killed after a key was made: the repeat makes no second key, and is told that the first is there (F94)', async () => {
  const dying = await start({ failpoint: 'idempotent.answer.before' })
  const headers = { ...(await signIn(other.url)), 'idempotency-key': 'make-a-key' }
  const make = (host: HostProcess) => callApi(host.url, KEYS, { body: { label: 'once' }, headers })
  await expect(make(dying)).rejects.toThrow()
  expect(await dying.ended).toBe('SIGKILL')
  const repeat = await make(other)
  // Not that it is still running, which is all that would be known without a mark beside the key.
  expect([repeat.status, repeat.headers.get('retry-after')]).toEqual([409, null])
  expect(textAt(repeat.body, 'message')).toContain('done before')
  expect(listAt((await callApi(other.url, KEYS, { headers })).body, 'keys')).toHaveLength(1)
})

it('a host that is killed before: 409 until its time is over, then the call runs again, and there is one quote (F94)', async () => {
  const dying = await start(SHORT_LIMIT)
  await quotable(dying)
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table quotes in exclusive mode')
    const lost = quote(dying, 'a').catch(() => 'lost')
    await until('the quote to wait for the table', async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_locks where relation = 'quotes'::regclass and not granted`,
      )
      return rows.length > 0 ? true : null
    })
    dying.signal('SIGKILL')
    expect(await lost).toBe('lost')
  } finally {
    await client.query('rollback')
    client.release()
  }
  const early = await quote(other, 'a')
  expect([early.status, Object.keys(early.body ?? {}), early.headers.get('retry-after')]).toEqual([
    409,
    ['message'],
    '1',
  ])
  expect((await quote(other, 'a', { amount: '2000000000000000' })).status).toBe(422)
  const later = await until('the lease of the dead host to end', async () => {
    const answer = await quote(other, 'a')
    return answer.status === 409 ? null : answer
  })
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([200, null])
  expect((await quote(other, 'a')).headers.get('idempotency-replayed')).toBe('true')
  expect(await quotesStored()).toBe(1)
})

it('the same call at once on two hosts makes one quote, and every answer is that one (F94)', async () => {
  const both = [await start(), other]
  for (const host of both) await quotable(host)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => both.map((host) => quote(host, `k${at}`))).flat(),
  )
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  expect(await quotesStored()).toBe(8)
  for (let at = 0; at < 8; at += 1) {
    const again = await Promise.all(both.map((host) => quote(host, `k${at}`)))
    expect(new Set(again.map(({ text }) => text)).size).toBe(1)
    expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(['true', 'true'])
  }
})

it('a refusal for want of funds is of the moment: once they came, the same key gets its quote, and that one again (F94)', async () => {
  const [, { chain }] = network.chains
  const body = { amount: ether('3000000').toString() }
  const refused = await quote(other, 'poor', body)
  expect([refused.status, textAt(refused.body, 'errorCode')]).toEqual([400, 'INSUFFICIENT_LIQUIDITY'])
  const wrong = { recipient: 'nobody' }
  expect((await quote(other, 'wrong', wrong)).status).toBe(400)
  expect((await quote(other, 'wrong', wrong)).headers.get('idempotency-replayed')).toBe('true')
  await chain.fund(network.roles.solver.address, ether('5000000'))
  await chain.mine(2)
  const quoted = await until('the quote under the same key', async () => {
    const answer = await quote(other, 'poor', body)
    expect(answer.headers.get('idempotency-replayed')).toBeNull()
    return answer.status === 200 ? answer : null
  })
  const again = await quote(other, 'poor', body)
  expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', quoted.text])
  expect(await quotesStored()).toBe(1)
})
