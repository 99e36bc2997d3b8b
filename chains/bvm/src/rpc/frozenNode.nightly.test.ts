import { environmentOf, systemClock } from '@causeway/core'
import { NOTHING_LIVE } from '@causeway/core/chain'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BvmAdapter, bvmAdapter } from '../adapter.js'
import { type BitcoinAccount, type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'

const PATIENCE = { timeout: 60_000, interval: 50 }
const orderId = `0x${'7c'.repeat(32)}`

let chain: LocalBitcoin
let ticking: NodeJS.Timeout | undefined
/** What one of the two APIs shows stays where it is. */
let frozen: 'esplora' | 'rpc' | null = null
let behind = 0
let adapter: BvmAdapter

beforeAll(async () => {
  chain = await startLocalBitcoin()
})

afterEach(async () => {
  clearInterval(ticking)
  await adapter.stop()
  frozen = null
  behind = 0
  await chain.lag(0)
})

afterAll(() => chain.close())

const accountAt = (at: number): BitcoinAccount => {
  const account = chain.accounts[at]
  if (account === undefined) throw new Error('no such account')
  return account
}

const block = async (): Promise<void> => {
  if (frozen !== null) {
    behind += 1
    await chain.lag(behind, frozen)
  }
  await chain.mine()
}

/** Two providers, the first of them preferred; blocks come every second. */
const open = async (first: 'esplora' | 'rpc'): Promise<void> => {
  const rpc = [
    { http: chain.url, provider: 'esplora' },
    { http: chain.rpcUrl, provider: 'core' },
  ]
  const access = ['esplora' as const, 'core' as const]
  const config = {
    id: 9_000_003,
    slug: 'local-bvm',
    name: 'Local',
    package: '@causeway/chain-bvm',
    rpc: first === 'esplora' ? rpc : rpc.reverse(),
    currencies: [],
    confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0 },
    solver: accountAt(1).addresses.p2wpkh,
    enabled: true,
    options: {},
  }
  adapter = bvmAdapter(
    {
      depository: accountAt(9).addresses.p2wpkh,
      network: 'regtest',
      access: first === 'esplora' ? access : access.reverse(),
      pollIntervalMs: 100,
    },
    { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
  )
  await adapter.start(new AbortController().signal)
  ticking = setInterval(() => void block(), 1000)
}

const stateOf = (name: string) => adapter.endpoints().find((endpoint) => endpoint.name === name)?.state

describe.each([
  ['esplora', 'esplora'],
  ['core', 'rpc'],
] as const)('the preferred node, read by %s, stands still', (name, api) => {
  test('F131: its place goes to the other one, deposits and heads go on, and it comes back', async () => {
    await open(api)
    let heads = 0
    const stop = new AbortController()
    adapter.onHead(() => {
      heads += 1
    }, stop.signal)
    // The pace is known then: without it a chain of ten minutes is assumed.
    await expect.poll(() => heads, PATIENCE).toBeGreaterThan(8)
    const included: string[] = []
    const reading = (async () => {
      for await (const page of adapter.watch(null, NOTHING_LIVE, stop.signal)) {
        included.push(...page.deposits.flatMap(({ state, tx }) => (state === 'included' ? [tx.id] : [])))
      }
    })()
    frozen = api
    const { height } = await adapter.tip()
    const begun = performance.now()
    const to = accountAt(9).addresses.p2wpkh
    const id = await chain.pay(accountAt(0), [{ to, value: 50_000n }], { data: orderId })
    await expect.poll(() => included.includes(id), PATIENCE).toBe(true)
    console.info(`${name}: seen in a block ${Math.round(performance.now() - begun)} ms after, blocks every 1000 ms`)
    // A tip may be as old as the time between polls.
    await expect.poll(async () => (await adapter.tip()).height, PATIENCE).toBeGreaterThan(height)
    await expect.poll(() => stateOf(name), PATIENCE).toBe('lagging')
    frozen = null
    await chain.lag(0)
    await expect.poll(() => stateOf(name), PATIENCE).toBe('ok')
    stop.abort()
    await reading
  })
})
