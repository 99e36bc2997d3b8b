import { ServiceError } from '@causeway/core'
import type { Disagreement } from '@causeway/core/chain'
import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import { newDigest, startWalletWorld, type WalletWorld } from './walletWorld.test.support.js'

const NAMES = ['one', 'two', 'three'] as const
const YES = `0x${'1'.padStart(64, '0')}`

let world: WalletWorld
let nodes: readonly FaultProxy[]
let adapter: EvmAdapter

beforeAll(async () => {
  world = await startWalletWorld(31_241)
  nodes = await Promise.all(NAMES.map(() => startFaultProxy(world.deployment.chain.rpcUrl)))
  adapter = await world.adapterOver(
    nodes.map(({ url }, at) => ({ http: url, provider: NAMES[at] ?? '' })),
    { rpcTimeoutMs: 3_000 },
  )
})
afterEach(async () => {
  for (const node of nodes) node.clear()
  await expect.poll(() => adapter.endpoints().map(({ state }) => state)).toEqual(['ok', 'ok', 'ok'])
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await world?.close()
})

const node = (at: number): FaultProxy => nodes[at] as FaultProxy
const callsOf = (at: number): number => node(at).requests('eth_call')

/** The answer, or the code of the error. */
const answerOf = async (wallet: string, agreeing: number, wallets = adapter.contractWallets): Promise<string> => {
  const digest = newDigest()
  const signature = await world.owner.sign({ hash: digest })
  return world.ask({ wallet, digest, signature }, wallets, agreeing).catch((error: unknown): string => {
    if (ServiceError.is(error)) return error.code
    throw error
  })
}

const honest = () => world.scripted.make(world.owner.address)
const naysayer = () => world.scripted.make(world.owner.address, 'always-no')

it('invariant 3: as many distinct providers are asked as must agree, and no more than one where one is enough', async () => {
  const wallet = await honest()
  const before = NAMES.map((_, at) => callsOf(at))
  expect(await answerOf(wallet, 1)).toBe('valid')
  const asked = NAMES.map((_, at) => callsOf(at) - (before[at] ?? 0))
  expect(asked.reduce((sum, count) => sum + count)).toBe(1)
  for (const agreeing of [2, 3]) expect(await answerOf(wallet, agreeing)).toBe('valid')
  expect(await answerOf(wallet, 4)).toBe('SERVICE_UNAVAILABLE')
})

it('endpoints of one provider count once', async () => {
  const alike = await world.adapterOver(nodes.map(({ url }) => ({ http: url, provider: 'one' })))
  const wallet = await honest()
  expect(await answerOf(wallet, 2, alike.contractWallets)).toBe('SERVICE_UNAVAILABLE')
  expect(await answerOf(wallet, 1, alike.contractWallets)).toBe('valid')
})

it('invariant 3: one liar makes no wallet say yes, nor keeps the others from saying no', async () => {
  const wallet = await naysayer()
  node(0).add('eth_call', { result: () => YES })
  for (let i = 0; i < 5; i += 1) expect(await answerOf(wallet, 2)).toBe('invalid')
  const [liar, one] = [node(0), node(1)]
  const two = await world.adapterOver([liar, one].map(({ url }, at) => ({ http: url, provider: NAMES[at] ?? '' })))
  expect(await answerOf(wallet, 2, two.contractWallets)).toBe('SERVICE_UNAVAILABLE')
})

it('a provider that is silent holds nothing up while enough others answer', async () => {
  const wallet = await honest()
  node(2).add('eth_call', { delayMs: 10_000 })
  const began = performance.now()
  expect(await answerOf(wallet, 2)).toBe('valid')
  expect(performance.now() - began).toBeLessThan(2_500)
  expect(await answerOf(wallet, 3)).toBe('SERVICE_UNAVAILABLE')
})

it('a node that cannot run the question is passed over, and its answer is no word of the wallet', async () => {
  const wallet = await honest()
  const strange: readonly object[] = [
    { error: { code: -32601, message: 'the method is not supported' } },
    { error: { code: 3, message: 'execution reverted', data: YES } },
    { result: () => '0x' },
    { result: () => `0x${'3'.padStart(64, '0')}` },
    { result: () => `${YES}00` },
    { result: () => 1 },
  ]
  for (const rule of strange) {
    for (const at of [0, 1]) node(at).add('eth_call', rule)
    expect(await answerOf(wallet, 1)).toBe('valid')
    expect(await answerOf(wallet, 2)).toBe('SERVICE_UNAVAILABLE')
    node(2).add('eth_call', rule)
    expect(await answerOf(wallet, 1)).toBe('RPC_HTTP_ERROR')
    for (const each of nodes) each.clear()
  }
})

it('a wallet that tells each node something else raises no alert and costs no node its trust', async () => {
  const { chain } = world.deployment
  const height = async (): Promise<bigint> => BigInt(await chain.rpc<string>('eth_blockNumber'))
  const wallet = await world.scripted.make(world.owner.address, 'by-block')
  await chain.mine(2 + Number((await height()) % 2n))
  const rpc = [node(0), node(1)].map(({ url }, at) => ({ http: url, provider: NAMES[at] ?? '' }))
  const two = await world.adapterOver(rpc)
  const told: Disagreement[] = []
  two.onDisagreement((item) => told.push(item), new AbortController().signal)
  expect(await answerOf(wallet, 2, two.contractWallets)).toBe('valid')
  // A node one block behind.
  const before = toHex((await height()) - 1n)
  node(1).add('eth_call', { result: ([call]) => chain.rpc('eth_call', [call, before]) })
  for (let i = 0; i < 3; i += 1) {
    expect(await answerOf(wallet, 2, two.contractWallets)).toBe('SERVICE_UNAVAILABLE')
  }
  expect(two.endpoints().map(({ state }) => state)).toEqual(['ok', 'ok'])
  expect(told).toEqual([])
})
