import { spawn } from 'node:child_process'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostCommand } from '../harness/host/hostProcess.js'
import { SHORT_LIFE } from '../harness/host/shortLife.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'

let network: LocalNetwork
let database: TestDatabase
let config: string
let env: NodeJS.ProcessEnv
let cli: string

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [] })
  const command = await hostCommand({ network, databaseUrl: database.url })
  ;[cli = '', , , config = ''] = command.args
  env = command.env
})
afterAll(async () => {
  await database?.drop()
  await network?.close()
})

const run = (...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...SHORT_LIFE, cli, ...args, '--config', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once('close', (code) => resolve({ code, out, err }))
  })

it('reads real chains from a process of its own, and ends', async () => {
  const { code, out } = await run('inventory', '--json')
  expect(code).toBe(0)
  const { chains } = JSON.parse(out)
  expect(chains).toMatchObject([
    { slug: 'harbor', reachable: true },
    { slug: 'lagoon', reachable: true },
  ])
})

it('tells by its exit code that something is wrong', async () => {
  // The solver's money was never booked: no lane has opened yet.
  const check = await run('ledger', 'check')
  expect(check).toMatchObject({ code: 1, err: expect.stringContaining('The ledger check failed: wallet-balance.') })
})

it('goes on without a word when the reader of its output leaves, as head does', async () => {
  const child = spawn(process.execPath, [...SHORT_LIFE, cli, 'doctor', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  // 1: a database of the tests does not flush, which is a fault.
  expect({ code, err }).toEqual({ code: 1, err: '' })
})
