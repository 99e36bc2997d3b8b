import { EndpointMonitor, HeadPace, JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type LocalSvmChain, startLocalSvm } from '../testing/node/localSvm.js'
import { svmProbe } from './probe.js'
import { svmProtocol } from './protocol.js'
import { type RewritingNode, startRewritingNode } from './rewritingNode.test.support.js'

const ALL_OK = { one: 'ok', two: 'ok', three: 'ok' }
const logger = pino({ level: 'silent' })

let chain: LocalSvmChain
let nodes: readonly RewritingNode[]
let rpc: JsonRpcClient
let monitor: EndpointMonitor

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 100 })
  nodes = await Promise.all([1, 2, 3].map(() => startRewritingNode(chain.rpcUrl)))
  const endpoints = nodes.map(({ url }, at) => ({ http: url, provider: ['one', 'two', 'three'][at] ?? '' }))
  const { genesisHash } = chain
  rpc = new JsonRpcClient({ protocol: svmProtocol(genesisHash), endpoints, timeoutMs: 1000, logger })
  const [probe, pace] = [svmProbe(genesisHash), new HeadPace(400)]
  monitor = new EndpointMonitor({ pool: rpc.pool, probe, intervalMs: 100, pace, headTime: () => null, logger })
  monitor.start()
})

afterEach(async () => {
  for (const node of nodes) node.clear()
  await expect.poll(states).toEqual(ALL_OK)
})

afterAll(async () => {
  monitor?.stop()
  rpc?.close()
  for (const node of nodes ?? []) await node.close()
  await chain?.close()
})

const states = () => Object.fromEntries(monitor.health().map(({ name, state }) => [name, state]))

const node = (at: number): RewritingNode => nodes[at] as RewritingNode

/** Moves the slot of the newest blockhash. */
const shiftHead = (at: number, by: number) =>
  node(at).rewrite('getLatestBlockhash', (result) => {
    const { context, value } = result as { readonly context: { readonly slot: number }; readonly value: unknown }
    return { context: { ...context, slot: context.slot + by }, value }
  })

test('F05: an endpoint whose finalized block is another than that of most is distrusted until it agrees again', async () => {
  node(0).rewrite('getBlock', (block) => ({ ...(block as object), blockhash: '1'.repeat(32) }))
  await expect.poll(states).toEqual({ ...ALL_OK, one: 'distrusted' })
  expect(monitor.health()[0]?.reason).toMatch(/another block/)
  expect(JSON.stringify(monitor.health())).not.toContain(node(0).url)
  expect(rpc.providers.map(({ name }) => name)).toEqual(['two', 'three'])
})

test('a node that turns to another chain is distrusted whatever the others say', async () => {
  node(1).rewrite('getGenesisHash', () => '2'.repeat(32))
  await expect.poll(states).toEqual({ ...ALL_OK, two: 'distrusted' })
})

test('a slot that nobody is near is an invented one; an old one lags', async () => {
  await chain.advance(200)
  shiftHead(0, 10_000)
  shiftHead(1, -150)
  await expect.poll(states).toEqual({ one: 'distrusted', two: 'lagging', three: 'ok' })
})

test('a head has an age', async () => {
  await expect.poll(() => monitor.health().every(({ headAgeMs }) => headAgeMs !== null)).toBe(true)
})
