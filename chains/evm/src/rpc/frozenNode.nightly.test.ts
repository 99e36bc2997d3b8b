import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import { freezeNode } from '../testing/node/frozenNode.js'
import { type LocalAccount, startLocalChain } from '../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

const BLOCK_SECONDS = 1
const ALL_OK = { one: 'ok', two: 'ok', three: 'ok' }
const PATIENCE = { timeout: 60_000, interval: 50 }

let deployment: TestDeployment
let proxies: readonly FaultProxy[]
let adapter: EvmAdapter
const deposits: DepositEvent[] = []
const stop = new AbortController()
let reading: Promise<void>
let orders = 0
let heads = 0

beforeAll(async () => {
  deployment = await startTestDeployment(31_171, { blockTimeSeconds: BLOCK_SECONDS })
  await deployment.chain.mine(10)
  proxies = await Promise.all([1, 2, 3].map(() => startFaultProxy(deployment.chain.rpcUrl)))
  adapter = overNodes(0, 1, 2)
  await adapter.start(new AbortController().signal)
  adapter.onHead(() => {
    heads += 1
  }, stop.signal)
  reading = (async () => {
    for await (const page of adapter.watch(null, NOTHING_LIVE, stop.signal)) deposits.push(...page.deposits)
  })()
})

afterEach(async () => {
  for (const proxy of proxies) proxy.clear()
  await expect.poll(() => statesOf(adapter), PATIENCE).toEqual(ALL_OK)
})

afterAll(async () => {
  stop.abort()
  await reading
  await adapter.stop()
  for (const proxy of proxies) await proxy.close()
  await deployment.chain.close()
})

/** Compared as seldom as by default: what stands still is found by the chain's own pace. */
const overNodes = (...at: readonly number[]): EvmAdapter =>
  deployment.adapter({
    rpc: at.map((index) => ({ http: node(index).url, provider: ['one', 'two', 'three'][index] ?? '' })),
    options: { endpointCheckMs: 5000, pollIntervalMs: 200 },
  })

const node = (at: number): FaultProxy => proxies[at] as FaultProxy

const statesOf = (of: EvmAdapter) =>
  Object.fromEntries((of.endpoints?.() ?? []).map(({ name, state }) => [name, state]))

const deposit = async (): Promise<Hex> => {
  const { chain, depository } = deployment
  const user = chain.accounts[0] as LocalAccount
  orders += 1
  const args = [getAddress(user.address), `0x${orders.toString(16).padStart(64, '0')}` as Hex] as const
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'depositNative', args })
  return chain.send(user, { to: depository, value: 7n, data })
}

const isSeen = (id: Hex) => () => deposits.some(({ tx, state }) => tx.id === id && state === 'included')

/** The watcher has read up to now, and the pace of the chain is known. */
const caughtUp = async () => {
  const first = await deposit()
  await expect.poll(isSeen(first), PATIENCE).toBe(true)
  await expect.poll(() => heads, PATIENCE).toBeGreaterThan(8)
}

test('F131: deposits go on when the node they are read from stands still; it loses its place, then its vote, and comes back', async () => {
  await caughtUp()
  const reader = await readerNow()
  await freezeNode(node(reader), deployment.chain)
  const begun = performance.now()
  const id = await deposit()
  await expect.poll(isSeen(id), PATIENCE).toBe(true)
  console.info(`seen ${Math.round(performance.now() - begun)} ms after, blocks every ${BLOCK_SECONDS * 1000} ms`)
  const name = ['one', 'two', 'three'][reader] ?? ''
  await expect.poll(() => statesOf(adapter)[name], PATIENCE).toBe('lagging')
  const frozen = adapter.endpoints().find((endpoint) => endpoint.name === name)
  expect(frozen?.reason).toMatch(/^Its newest block is \d+, and another node showed \d+ \d+ s before\.$/)
  // Neither reads nor the votes of a lane come from it any more.
  const before = ['eth_getBalance', 'eth_getTransactionCount'].map((method) => node(reader).calls.get(method) ?? 0)
  await adapter.getBalances([{ address: deployment.depository, currency: ZERO_ADDRESS }])
  await adapter.lane.read(deployment.depository, null)
  const after = ['eth_getBalance', 'eth_getTransactionCount'].map((method) => node(reader).calls.get(method) ?? 0)
  expect(after).toEqual(before)
})

/** Which node answers what the adapter reads. */
const readerNow = async (): Promise<number> => {
  const counts = () => proxies.map(({ calls }) => calls.get('eth_getBalance') ?? 0)
  const before = counts()
  await adapter.getBalances([{ address: deployment.depository, currency: ZERO_ADDRESS }])
  return counts().findIndex((count, at) => count > (before[at] ?? 0))
}

test('F131: a node that shows very old state is left at once', async () => {
  await caughtUp()
  const reader = await readerNow()
  await freezeNode(node(reader), deployment.chain, 2n)
  const id = await deposit()
  await expect.poll(isSeen(id), PATIENCE).toBe(true)
  const { height } = await adapter.tip()
  expect(height).toBeGreaterThan(2n)
})

test('F131: a chain that is silent itself makes no node late', async () => {
  await caughtUp()
  await deployment.chain.setIntervalMining(0)
  const rounds = () => Math.min(...proxies.map(({ calls }) => calls.get('eth_chainId') ?? 0))
  const before = rounds()
  // Looked after more often meanwhile, for as long as they showed nothing new.
  await expect.poll(rounds, PATIENCE).toBeGreaterThan(before + 4)
  expect(statesOf(adapter)).toEqual(ALL_OK)
  await deployment.chain.setIntervalMining(BLOCK_SECONDS)
})

test('F131: a websocket that says nothing holds no head back: the chain is asked as without one', async () => {
  // Of a chain without blocks: it takes the subscription and has nothing to tell.
  const still = await startLocalChain({ chainId: 31_172 })
  const listening = deployment.adapter({
    rpc: [{ http: deployment.chain.rpcUrl, ws: still.wsUrl }],
    options: { pollIntervalMs: 100 },
  })
  await listening.start(new AbortController().signal)
  const pauses: number[] = []
  let last = performance.now()
  listening.onHead(() => {
    pauses.push(performance.now() - last)
    last = performance.now()
  }, stop.signal)
  await expect.poll(() => pauses.length, PATIENCE).toBeGreaterThan(12)
  // Once the pace is known no head waits for the net beneath websockets, which comes every five seconds.
  expect(Math.min(...pauses.slice(8))).toBeLessThan(4000)
  await listening.stop()
  await still.close()
})
