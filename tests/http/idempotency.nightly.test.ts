import { expect, it } from 'vitest'
import { callApi, listAt, textAt } from '../harness/apiCall.js'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { ether } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { KEYS, signIn } from './dashboardSession.js'
import {
  database,
  network,
  other,
  quotable,
  quote,
  quotesStored,
  SHORT_LIMIT,
  start,
  useIdempotentHosts,
} from './idempotentHosts.js'

useIdempotentHosts()

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
    await client.query('lock table quote_rows in exclusive mode')
    const lost = quote(dying, 'a').catch(() => 'lost')
    await until('the quote to wait for the table', async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_locks where relation = 'quote_rows'::regclass and not granted`,
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
