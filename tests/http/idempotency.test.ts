import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { type HostProcess, type HostProcessOptions, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { nativeBody } from './httpWorld.js'

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
