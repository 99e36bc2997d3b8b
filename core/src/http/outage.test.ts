import { createServer } from 'node:net'
import pg from 'pg'
import { expect, it } from 'vitest'
import { errorResponse } from './errorBody.js'
import { isOutage } from './outage.js'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })

it('a database that cannot be reached, stops or gives up is an outage', async () => {
  const closed = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
  const client = new pg.Client({ connectionString: `postgres://a:b@127.0.0.1:${closed}/c` })
  const refused: unknown = await client.connect().catch((error: unknown) => error)
  expect(isOutage(refused)).toBe(true)
  for (const code of ['08006', '53300', '57P01', '57014', '40P01', '25006', '53100', '58030', 'EMFILE'])
    expect(isOutage(coded(code))).toBe(true)
  for (const words of [
    'Connection terminated unexpectedly',
    'Query read timeout',
    'Client was closed and is not queryable',
  ])
    expect(isOutage(new Error(words))).toBe(true)
  expect(isOutage(new Error('x', { cause: coded('57P03') }))).toBe(true)
  expect(isOutage(Object.assign(new Error('x'), { nativeError: coded('08003') }))).toBe(true)
})

it('what will fail again is none', () => {
  for (const code of ['23505', '42601', '22021', '42P01', 'ENOENT']) expect(isOutage(coded(code))).toBe(false)
  for (const value of [new TypeError('x'), 'ECONNREFUSED', null, undefined]) expect(isOutage(value)).toBe(false)
})

it('answers 503, retryable, without a word of it (wire.md 0.4; faults.md F96)', () => {
  const error = coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432')
  const { status, body, unexpected } = errorResponse(error, 'quote', 'id')
  expect([status, body.errorCode, unexpected]).toEqual([503, 'SERVICE_UNAVAILABLE', false])
  expect(JSON.stringify(body)).not.toContain('10.0.0.7')
  expect(Object.keys(errorResponse(error, 'plain', 'id').body)).toEqual(['message', 'statusCode'])
})
