import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/serviceError.js'
import type { Endpoint } from './endpoint.js'
import { EndpointPool } from './endpointPool.js'
import { openEndpoints } from './openEndpoints.js'
import { httpStatusError } from './transportError.js'

const logger = pino({ level: 'silent' })

/** A node that answers with what it is told. */
interface Node {
  readonly host: string
  isOurs: boolean
  asked: number
  answer: () => Promise<string>
  closed: number
}

const unreachable = () => new ServiceError('RPC_HTTP_ERROR', 'gone')
const failing = () => Promise.reject(unreachable())
const hanging = () => new Promise<string>(() => undefined)

const poolOf = (...providers: readonly string[]) => {
  const configured = providers.map((provider, at) => ({ http: `http://${provider}.test/${at}`, provider }))
  const endpoints = openEndpoints<Node>(configured, {
    open: ({ http }) => {
      const node: Node = { host: http, isOurs: true, asked: 0, answer: async () => http, closed: 0 }
      return node
    },
    identify: async ({ isOurs }) => isOurs,
    close: (node) => {
      node.closed += 1
    },
  })
  return new EndpointPool<Node>({ endpoints, logger })
}

const ask = (node: Node): Promise<string> => {
  node.asked += 1
  return node.answer()
}

const names = (endpoints: readonly Endpoint<Node>[]) => endpoints.map(({ name }) => name)

const at = (pool: EndpointPool<Node>, place: number): Endpoint<Node> => {
  const endpoint = pool.endpoints[place]
  if (endpoint === undefined) throw new Error('no such endpoint')
  return endpoint
}

test('endpoints are named by their provider, numbered where it runs several, and never by their URL', () => {
  const pool = poolOf('one', 'two', 'one')
  expect(names(pool.endpoints)).toEqual(['one 1', 'two', 'one 2'])
  expect(names(pool.providers)).toEqual(['one 1', 'two'])
  expect(pool.providerCount).toBe(2)
})

test('the first node that has an answer gives it, is asked first from then on, and the other rests', async () => {
  const pool = poolOf('one', 'two')
  at(pool, 0).client.answer = failing
  expect(await pool.ask(ask)).toBe('http://two.test/1')
  expect(at(pool, 0)).toMatchObject({ rested: false, failure: 'gone' })
  expect(names(pool.ordered())).toEqual(['two', 'one'])
  expect(await pool.ask(ask)).toBe('http://two.test/1')
  expect(at(pool, 0).client.asked).toBe(1)
  at(pool, 0).client.answer = async () => 'back'
  await at(pool, 0).ask(ask)
  expect(at(pool, 0)).toMatchObject({ rested: true, failure: null })
})

test('a distrusted node is asked nothing, one that is late after the others', async () => {
  const pool = poolOf('one', 'two', 'three')
  at(pool, 0).setDistrust('lies')
  at(pool, 1).setLateness('stands')
  expect(names(pool.ordered())).toEqual(['three', 'two'])
  expect(names(pool.providers)).toEqual(['three'])
  for (const endpoint of pool.endpoints) endpoint.setDistrust('lies')
  await expect(pool.ask(ask)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('F06: a node of another chain is asked nothing but what it serves, each time', async () => {
  const pool = poolOf('one')
  at(pool, 0).client.isOurs = false
  for (const _ of [1, 2]) await expect(pool.ask(ask)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(at(pool, 0).client.asked).toBe(0)
  at(pool, 0).client.isOurs = true
  expect(await pool.ask(ask)).toBe('http://one.test/0')
})

test('a single node that could not be reached is asked once more; one that took too long is not', async () => {
  const pool = poolOf('one')
  const { client } = at(pool, 0)
  client.answer = () => (client.asked === 1 ? failing() : Promise.resolve('late'))
  expect(await pool.ask(ask)).toBe('late')
  client.answer = () => Promise.reject(new ServiceError('REQUEST_TIMED_OUT', 'slow'))
  await expect(pool.ask(ask)).rejects.toMatchObject({ code: 'REQUEST_TIMED_OUT' })
  expect(client.asked).toBe(3)
})

test('a node that is known to refuse a question is asked after the others', async () => {
  const pool = poolOf('one', 'two')
  const first = at(pool, 0).client
  expect(await pool.ask(ask, { refuses: (client) => client === first })).toBe('http://two.test/1')
  expect(await pool.ask(ask, { refuses: () => true })).toBe('http://two.test/1')
  at(pool, 1).client.answer = failing
  expect(await pool.ask(ask, { refuses: (client) => client === first })).toBe('http://one.test/0')
})

test('F162: a node rests for as long as it asks for, whatever it answers meanwhile, and each failure is counted', async () => {
  const pool = poolOf('one', 'two')
  at(pool, 0).client.answer = () => Promise.reject(httpStatusError(429, 60_000))
  expect(await pool.ask(ask)).toBe('http://two.test/1')
  at(pool, 0).client.answer = async () => 'back'
  await at(pool, 0).ask(ask)
  expect(at(pool, 0)).toMatchObject({ rested: false, failure: null, failed: 1 })
  expect(names(pool.ordered())).toEqual(['two', 'one'])
})

test('what is no ServiceError is a mistake of who asks: it is thrown at once', async () => {
  const pool = poolOf('one', 'two')
  at(pool, 0).client.answer = () => Promise.reject(new TypeError('mistake'))
  await expect(pool.ask(ask)).rejects.toThrow(TypeError)
  expect(at(pool, 1).client.asked).toBe(0)
})

test('a caller’s signal ends a question with its reason, also of a client that knows of no signal, and no node is blamed', async () => {
  const pool = poolOf('one', 'two')
  at(pool, 0).client.answer = hanging
  const stop = new AbortController()
  const asked = pool.ask(ask, { signal: stop.signal })
  await expect.poll(() => at(pool, 0).client.asked).toBe(1)
  stop.abort('enough')
  await expect(asked).rejects.toBe('enough')
  expect(at(pool, 0)).toMatchObject({ failure: null, rested: true })
  expect(at(pool, 1).client.asked).toBe(0)
  await expect(pool.ask(ask, { signal: stop.signal })).rejects.toBe('enough')
})

test('one caller’s signal does not end the check of the chain that others wait for', async () => {
  let [answer, checks] = [(_: boolean): void => undefined, 0]
  const endpoints = openEndpoints<string>([{ http: 'http://one.test' }], {
    open: ({ http }) => http,
    identify: (_, signal) => {
      checks += 1
      return new Promise<boolean>((resolve, reject) => {
        answer = resolve
        signal.addEventListener('abort', () => reject(unreachable()))
      })
    },
    close: () => undefined,
  })
  const pool = new EndpointPool({ endpoints, logger })
  const stop = new AbortController()
  const [ended, other] = [pool.ask(async () => 'no', { signal: stop.signal }), pool.ask(async () => 'yes')]
  stop.abort('enough')
  await expect(ended).rejects.toBe('enough')
  answer(true)
  expect(await other).toBe('yes')
  expect(checks).toBe(1)
})

test('a pool that is closed ends what is under way and asks nobody else', async () => {
  const pool = poolOf('one', 'two')
  let ended = false
  at(pool, 0).client.answer = hanging
  const asked = pool.ask((node, signal) => {
    signal.addEventListener('abort', () => {
      ended = true
    })
    return ask(node)
  })
  await expect.poll(() => at(pool, 0).client.asked).toBe(1)
  pool.close()
  await expect(asked).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  expect(ended).toBe(true)
  expect(pool.endpoints.map(({ client: { asked, closed } }) => [asked, closed])).toEqual([
    [1, 1],
    [0, 1],
  ])
})

test('many questions at once, under a signal or none, are no leak of listeners', async () => {
  const pool = poolOf('one')
  const { client } = at(pool, 0)
  let release = (): void => undefined
  const held = new Promise<string>((resolve) => {
    release = () => resolve('now')
  })
  client.answer = () => held
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  const { signal } = new AbortController()
  const asked = Array.from({ length: 30 }, () => [pool.ask(ask), pool.ask(ask, { signal })]).flat()
  await expect.poll(() => client.asked).toBe(60)
  await new Promise(setImmediate)
  release()
  await Promise.all(asked)
  process.off('warning', note)
  expect(warnings).toEqual([])
})
