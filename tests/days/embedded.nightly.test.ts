import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopEmbeddedPostgres } from '@causeway/core/host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'

let network: LocalNetwork
let root: string
let here: OperatorsHost
let there: OperatorsHost

/** A deployment without a database of its own, in a folder of this name. */
const deployment = (name: string): OperatorsHost => {
  const folder = join(root, name)
  mkdirSync(folder, { mode: 0o755 })
  return openOperatorsHost({
    network,
    databaseUrl: '',
    folder,
    config: { database: { leaseSeconds: 2 }, dataDir: 'data' },
  })
}

// Many processes, one after the other, on a busy machine.
const LONG = 300_000

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  root = mkdtempSync(join(tmpdir(), 'causeway-move-'))
  // A server of root runs as another user, who must be able to walk here.
  chmodSync(root, 0o755)
  here = deployment('here')
  there = deployment('there')
})
afterAll(async () => {
  await Promise.all([here?.close(), there?.close()])
  for (const name of ['here', 'there']) await stopEmbeddedPostgres(join(root, name, 'data', 'postgres'))
  rmSync(root, { recursive: true, force: true })
  await network?.close()
})

it(
  'the embedded database is moved to another machine with its stopped folder: what was paid is known there, and nothing is paid twice',
  async () => {
    let host = await here.start()
    const quote = await quoteOn(host, network, 0)
    await depositFor(network, 0, quote)
    await reached(host, quote, 'success')
    const copy = join(root, 'copy')
    expect(await here.causeway(`backup ${copy}`, 1)).toContain('The embedded PostgreSQL runs. Stop every host')
    await here.stop(host)
    expect(await here.causeway(`backup ${copy}`)).toContain('tables up to 00')
    expect(statSync(copy).mode & 0o777).toBe(0o700)
    expect(await there.causeway(`backup verify ${copy}`)).toContain('The backup is whole.')
    expect(await here.causeway(`restore ${copy}`, 1)).toMatch(/holds a database already\. Move it/)
    expect(await there.causeway(`restore ${copy}`)).toContain('causeway lanes inspect')
    host = await there.start()
    await reached(host, quote, 'success')
    const next = await quoteOn(host, network, 1)
    await depositFor(network, 1, next)
    await reached(host, next, 'success')
    const paid = await paymentsByOrder(network.chains[1], network.roles.solver.address)
    expect([quote, next].map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills)).toEqual([1, 1])
    await there.stop(host)
    const control = join(copy, 'data', 'global', 'pg_control')
    const bytes = readFileSync(control)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(control, bytes)
    expect(await there.causeway(`backup verify ${copy}`, 1)).toContain('damaged or cut short')
  },
  LONG,
)
