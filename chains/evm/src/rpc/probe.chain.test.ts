import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'

const ALL_OK = { one: 'ok', two: 'ok', three: 'ok' }

let deployment: TestDeployment
let proxies: readonly FaultProxy[]
let adapter: EvmAdapter

beforeAll(async () => {
  deployment = await startTestDeployment(31_107)
  await deployment.chain.mine(10)
  proxies = await Promise.all([1, 2, 3].map(() => startFaultProxy(deployment.chain.rpcUrl)))
  adapter = deployment.adapter({
    rpc: proxies.map(({ url }, at) => ({ http: url, provider: ['one', 'two', 'three'][at] ?? '' })),
    options: { endpointCheckMs: 100, rpcTimeoutMs: 400 },
  })
  await adapter.start(new AbortController().signal)
})

afterEach(async () => {
  for (const proxy of proxies) proxy.clear()
  await expect.poll(states).toEqual(ALL_OK)
})

afterAll(async () => {
  await adapter.stop()
  for (const proxy of proxies) await proxy.close()
  await deployment.chain.close()
})

const states = () => Object.fromEntries(adapter.endpoints().map(({ name, state }) => [name, state]))

const proxy = (at: number): FaultProxy => proxies[at] as FaultProxy

/** Shows every block with another hash. */
const showAnotherChain = (at: number) =>
  proxy(at).add('eth_getBlockByNumber', {
    rewrite: (block) => ({ ...(block as object), hash: `0x${String(at + 1).repeat(64)}` }),
  })

const drop = (at: number) => {
  for (const method of ['eth_chainId', 'eth_getBlockByNumber']) proxy(at).add(method, { drop: true })
}

test('F05: an endpoint that most others contradict is distrusted and used for nothing until it agrees again', async () => {
  showAnotherChain(0)
  await expect.poll(states).toEqual({ ...ALL_OK, one: 'distrusted' })
  const before = proxy(0).calls.get('eth_getBalance') ?? 0
  await adapter.getBalances([{ address: deployment.depository, currency: `0x${'0'.repeat(40)}` }])
  expect(proxy(0).calls.get('eth_getBalance') ?? 0).toBe(before)
  expect(adapter.endpoints()[0]?.reason).toMatch(/another block/)
  expect(JSON.stringify(adapter.endpoints())).not.toContain(proxy(0).url)
})

test('F06: a distrusted endpoint stays so when it is the only one left', async () => {
  showAnotherChain(2)
  await expect.poll(states).toMatchObject({ three: 'distrusted' })
  drop(0)
  drop(1)
  await expect.poll(states).toEqual({ one: 'down', two: 'down', three: 'distrusted' })
})

test('a node that turns to another chain is distrusted whatever the others say', async () => {
  proxy(1).add('eth_chainId', { rewrite: () => '0x1' })
  await expect.poll(states).toEqual({ ...ALL_OK, two: 'distrusted' })
})

test('a head that nobody is near is an invented one; an old one lags', async () => {
  proxy(0).add('eth_getBlockByNumber', {
    when: ([block]) => block === 'latest',
    rewrite: (block) => ({ ...(block as object), number: '0xfffffff' }),
  })
  proxy(1).add('eth_getBlockByNumber', {
    when: ([block]) => block === 'latest',
    rewrite: (block) => ({ ...(block as object), timestamp: '0x1' }),
  })
  await expect.poll(states).toEqual({ one: 'distrusted', two: 'lagging', three: 'ok' })
})
