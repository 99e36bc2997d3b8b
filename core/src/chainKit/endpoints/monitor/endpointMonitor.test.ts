import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServiceError } from '../../../errors/serviceError.js'
import { otherChain } from '../endpoint.js'
import { EndpointPool } from '../endpointPool.js'
import { openEndpoints } from '../openEndpoints.js'
import { EndpointMonitor } from './endpointMonitor.js'
import type { EndpointProbe } from './endpointProbe.js'
import { HeadPace } from './headPace.js'

const logger = pino({ level: 'silent' })

/** What a node shows; a test changes it. */
interface Node {
  height: bigint
  /** Of every block. */
  hash: string | null
  state: 'answers' | 'away' | 'another chain' | 'tells nothing'
  readings: number
}

const probe: EndpointProbe<Node> = {
  unit: 'ledger',
  head: async (node) => {
    node.readings += 1
    if (node.state === 'another chain') throw otherChain()
    if (node.state === 'away') throw new ServiceError('RPC_HTTP_ERROR', 'It is away.')
    if (node.state === 'tells nothing') return null
    return { height: node.height, progress: node.height, comparable: node.height, time: 1_700_000_000 }
  },
  hashAt: async ({ hash, state }) => (state === 'answers' ? hash : null),
  depth: 3n,
  final: false,
  maxAhead: 100n,
  lag: { limit: 2n, reason: 'It is behind.' },
}

const open = (...providers: readonly string[]) => {
  const endpoints = openEndpoints<Node>(
    providers.map((provider) => ({ http: 'http://node.test', provider })),
    {
      open: () => ({ height: 50n, hash: 'same', state: 'answers', readings: 0 }),
      identify: async () => true,
      close: () => undefined,
    },
  )
  const pool = new EndpointPool({ endpoints, logger })
  const pace = new HeadPace(600_000)
  const monitor = new EndpointMonitor({ pool, probe, intervalMs: 60_000, pace, headTime: () => 1_700_000_000, logger })
  const states = async () => {
    await monitor.check()
    return monitor.health().map(({ state }) => state)
  }
  const node = (at: number): Node => {
    const endpoint = pool.endpoints[at]
    if (endpoint === undefined) throw new Error('no such endpoint')
    return endpoint.client
  }
  return { pool, monitor, states, node }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('F05: whoever most providers contradict is distrusted until it agrees again', async () => {
  const { pool, states, node } = open('one', 'two', 'three')
  node(0).hash = 'other'
  expect(await states()).toEqual(['distrusted', 'ok', 'ok'])
  expect(pool.providers.map(({ name }) => name)).toEqual(['two', 'three'])
  node(0).hash = 'same'
  expect(await states()).toEqual(['ok', 'ok', 'ok'])
})

test('F06: a liar that is left alone stays distrusted, and so do two that contradict each other', async () => {
  const { states, node } = open('one', 'two', 'three')
  node(0).hash = 'other'
  await states()
  node(1).state = 'away'
  node(2).state = 'away'
  expect(await states()).toEqual(['distrusted', 'down', 'down'])
  node(1).state = 'answers'
  expect(await states()).toEqual(['distrusted', 'distrusted', 'down'])
})

test('a node that turns to another chain is distrusted whatever the others say, and trusted when it is back', async () => {
  const { states, node } = open('one', 'two')
  node(1).state = 'another chain'
  expect(await states()).toEqual(['ok', 'distrusted'])
  node(1).state = 'answers'
  expect(await states()).toEqual(['ok', 'ok'])
})

test('a node that answers and does not tell its head is not blamed for it', async () => {
  const { states, node } = open('one', 'two')
  node(1).state = 'tells nothing'
  expect(await states()).toEqual(['ok', 'ok'])
})

test('F131: a head that nobody is near is invented; one that is behind the others lags', async () => {
  const { pool, states, node } = open('one', 'two', 'three')
  node(0).height = 1000n
  node(1).height = 47n
  expect(await states()).toEqual(['distrusted', 'lagging', 'ok'])
  expect(pool.ordered().map(({ name }) => name)).toEqual(['three', 'two'])
})

test('a node that was caught with a false deposit is kept out for ten minutes, however it agrees, and then as it does', async () => {
  const { pool, monitor, states } = open('one', 'two', 'three')
  await states()
  const [liar] = pool.endpoints
  if (liar !== undefined) monitor.distrust(liar, 'It shows a deposit that most providers deny.')
  expect(await states()).toEqual(['distrusted', 'ok', 'ok'])
  vi.advanceTimersByTime(599_000)
  expect(await states()).toEqual(['distrusted', 'ok', 'ok'])
  vi.advanceTimersByTime(2_000)
  expect(await states()).toEqual(['ok', 'ok', 'ok'])
})

test('a single endpoint is compared with nobody: it costs no request, and its head is as old as the newest known', async () => {
  const { monitor, states, node } = open('one')
  expect(await states()).toEqual(['ok'])
  expect(node(0).readings).toBe(0)
  expect(monitor.health()[0]?.headAgeMs).toBeGreaterThan(0)
})

test('a compared block that a reorg moved between two answers makes nobody a liar', async () => {
  const { states, node } = open('one', 'two', 'three')
  let asked = 0
  Object.defineProperty(node(0), 'hash', {
    get: () => {
      asked += 1
      return asked === 1 ? 'old' : 'same'
    },
  })
  expect(await states()).toEqual(['ok', 'ok', 'ok'])
  expect(asked).toBe(2)
})

test('providers that disagree are told to whoever listens, until its signal aborts', () => {
  const { monitor } = open('one', 'two')
  const told: string[] = []
  const stop = new AbortController()
  monitor.onDisagreement(({ subject }) => told.push(subject), stop.signal)
  monitor.report({ subject: 'deposit', details: '' })
  stop.abort()
  monitor.report({ subject: 'another', details: '' })
  expect(told).toEqual(['deposit'])
})
