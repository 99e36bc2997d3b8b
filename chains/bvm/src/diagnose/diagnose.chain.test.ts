import type { ChainConfig, Diagnosis } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOfSeed, fingerprintOf } from '../derive/depositAddress.js'
import { NETWORKS } from '../network/networks.js'
import { resolveOptions } from '../options.js'
import { openSourcePool } from '../source/sourcePool.js'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { diagnose } from './diagnose.js'

const logger = pino({ level: 'silent' })

let chain: LocalBitcoin

beforeAll(async () => {
  chain = await startLocalBitcoin()
})

afterAll(() => chain.close())

const addressOf = (at: number): string => chain.accounts[at]?.addresses.p2wpkh ?? ''

interface Case {
  readonly rpc?: ChainConfig['rpc']
  readonly genesisHash?: string
  readonly allocator?: string | null
  readonly depositAccountKey?: string
}

const run = async ({ rpc, allocator = addressOf(1), ...more }: Case = {}): Promise<readonly Diagnosis[]> => {
  const endpoints = rpc ?? [
    { http: chain.url, provider: 'one' },
    { http: chain.rpcUrl, provider: 'two' },
  ]
  const access = endpoints.map(({ http }) => (http.endsWith('/rpc') ? ('core' as const) : ('esplora' as const)))
  const options = { depository: addressOf(1), network: 'regtest' as const, access, rpcTimeoutMs: 2000 }
  const settings = resolveOptions({ ...options, ...more }, 1)
  const config: ChainConfig = {
    id: 1,
    slug: 'bitcoin',
    name: 'Bitcoin',
    package: '@causeway/chain-bvm',
    rpc: endpoints,
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 6, settleSeconds: 0 },
    solver: addressOf(0),
    enabled: true,
    options: {},
  }
  const pool = openSourcePool({ endpoints, settings, logger })
  try {
    return await diagnose({ timeoutMs: 3000, allocator }, { pool, config, settings })
  } finally {
    pool.close()
  }
}

const faults = (found: readonly Diagnosis[]) => found.filter(({ state }) => state === 'fault').map(({ check }) => check)

test('all is well: every check of both APIs says so, and nothing shows a URL', async () => {
  const found = await run()
  expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
  const each = ['rpc', 'rpc head', 'rpc history']
  expect(found.map(({ check }) => check)).toEqual([...each, ...each, 'allocator', 'deposit addresses'])
  expect(found.at(-1)?.message).toMatch(/depositAccountKey.* is not set/)
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('it tells which account deposit addresses are of', async () => {
  const account = accountOfSeed(new Uint8Array(32).fill(1), NETWORKS.regtest)
  const found = await run({ depositAccountKey: account.publicExtendedKey })
  expect(found.at(-1)?.message).toContain(fingerprintOf(account))
})

test('each planted fault is found and has a remedy', async () => {
  const only = [{ http: chain.url, provider: 'one' }]
  await chain.failNext({ method: 'GET /address/:address/utxo', status: 500 })
  const found = [
    { expected: ['rpc history'], of: await run({ rpc: only }) },
    { expected: ['rpc chain id'], of: await run({ rpc: only, genesisHash: 'ab'.repeat(32) }) },
    { expected: ['rpc'], of: await run({ rpc: [{ http: 'http://127.0.0.1:1' }] }) },
    { expected: ['allocator'], of: await run({ rpc: only, allocator: addressOf(2) }) },
  ]
  for (const { expected, of } of found) {
    expect(faults(of)).toEqual(expected)
    expect(of.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
  }
  await chain.clearFaults()
})

test('F165: each question that a node does not answer is told with its cost', async () => {
  const error = { code: -32601, message: 'Method not found' }
  await chain.failNext({ method: 'estimatesmartfee', error, times: 3 })
  await chain.failNext({ method: 'GET /fee-estimates', status: 404, times: 3 })
  const found = await run()
  await chain.clearFaults()
  expect(found.flatMap(({ check, message }) => (check === 'rpc limits' ? [message] : []))).toEqual([
    'does not serve GET /fee-estimates',
    'does not serve estimatesmartfee',
  ])
  expect(found.every(({ check, remedy }) => check !== 'rpc limits' || remedy?.includes('six hours'))).toBe(true)
})

test('a node of Bitcoin Core that cannot say what a transaction spends is told of, with a remedy', async () => {
  const bare = await startLocalBitcoin({ txIndex: false, funded: 0n })
  const found = await run({ rpc: [{ http: bare.rpcUrl, provider: 'two' }] })
  await bare.close()
  expect(found.find(({ check }) => check === 'rpc history')).toMatchObject({
    state: 'fault',
    message: expect.stringContaining('txindex'),
    remedy: expect.stringContaining('txindex=1'),
  })
})
