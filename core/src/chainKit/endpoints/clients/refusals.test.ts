import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type AnsweringServer, startServer } from './answeringServer.test.support.js'
import { JsonRpcClient, type JsonRpcProtocol } from './jsonRpcClient.js'
import { RefusedCalls } from './jsonRpcErrors.js'
import { JsonRpcNode } from './jsonRpcNode.js'

interface Call {
  readonly id: number
  readonly method: string
}

type Handler = (calls: readonly Call[], response: ServerResponse, isBatch: boolean) => void

const servers: AnsweringServer[] = []
const clients: JsonRpcClient[] = []

const serve = async (handle: Handler): Promise<AnsweringServer> => {
  const server = await startServer(({ body }, response) => {
    // CAST: only JSON-RPC is spoken here.
    const asked = JSON.parse(body) as Call | Call[]
    handle([asked].flat(), response, Array.isArray(asked))
  })
  servers.push(server)
  return server
}

const say = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
  void response.writeHead(status, headers).end(JSON.stringify(body))

const answers: Handler = (calls, response, isBatch) => {
  const all = calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }))
  say(response, isBatch ? all : all[0])
}

/** Answers who it is, and refuses all else. */
const refuses =
  (error: object, status = 200, headers = {}): Handler =>
  (calls, response, isBatch) => {
    if (calls.every(({ method }) => method === 'name')) return answers(calls, response, isBatch)
    const all = calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))
    return say(response, isBatch ? all : all[0], status, headers)
  }

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const server of servers.splice(0)) await server.close()
})

const clientOf = (nodes: readonly AnsweringServer[], rules: Partial<JsonRpcProtocol> = {}): JsonRpcClient => {
  const client = new JsonRpcClient({
    protocol: {
      identify: { method: 'name', params: [], matches: () => true },
      unrepeatable: new Set<string>(['send']),
      ...rules,
    },
    endpoints: nodes.map(({ url }) => ({ http: url })),
    timeoutMs: 20_000,
    logger: pino({ level: 'silent' }),
  })
  clients.push(client)
  return client
}

const callsOf = (count: number, method = 'get') => Array.from({ length: count }, () => ({ method, params: [] }))

const oks = (count: number, method = 'get') => Array.from({ length: count }, () => ({ ok: true, result: method }))

describe('a node that refuses (F162)', () => {
  test.each<[string, object, number]>([
    ['wants another key', { code: -32000, message: 'invalid' }, 401],
    ['wants to be paid', { code: -32000, message: 'pay' }, 402],
    ['forbids', { code: -32000, message: 'no' }, 403],
    ['asks for less', { code: -32000, message: 'slow' }, 429],
    ['has an inner fault', { code: -32000, message: 'oh' }, 500],
    ['is not there', { code: -32000, message: 'gone' }, 503],
    ['has a fault', { code: -32603, message: 'Internal error' }, 200],
    ['does not serve the method', { code: -32601, message: 'not found' }, 200],
    ['has no quota', { code: -32005, message: 'limit exceeded' }, 200],
    ['writes its error as no text', { code: { toString: null }, message: { toString: null } }, 500],
  ])('rests where it %s, and the next one is asked', async (_, error, status) => {
    const [first, second] = [await serve(refuses(error, status)), await serve(answers)]
    const client = clientOf([first, second])
    expect(await client.batch(callsOf(1))).toEqual(oks(1))
    expect(client.endpoints.map(({ failed }) => failed)).toEqual([1, 0])
    expect(second.asked).toHaveLength(2)
  })

  test('is not asked again before the time that it names', async () => {
    const busy = await serve(refuses({ code: 1, message: '' }, 429, { 'retry-after': '60' }))
    const client = clientOf([busy, await serve(answers)])
    await client.batch(callsOf(1))
    const asked = busy.asked.length
    // An answer to something else does not end the rest.
    await client.endpoints[0]?.batch(callsOf(1, 'name'))
    await client.batch(callsOf(1))
    expect(busy.asked.length).toBe(asked + 1)
  })

  test('is believed when it answers for the chain, with whatever status', async () => {
    const first = await serve(refuses({ code: 3, message: 'execution reverted' }, 400))
    const client = clientOf([first, await serve(answers)], { isAnswer: ({ code }) => code === 3 })
    expect(await client.batch(callsOf(1))).toEqual([{ ok: false, error: { code: 3, message: 'execution reverted' } }])
    expect(client.endpoints[0]?.failed).toBe(0)
  })

  test('has the last word where every node refuses: others of the batch keep their answers', async () => {
    const partly: Handler = (calls, response) =>
      say(
        response,
        calls.map(({ id, method }) =>
          method === 'odd' ? { id, error: { code: -32603, message: 'oh' } } : { id, result: method },
        ),
      )
    const client = clientOf([await serve(partly), await serve(partly)], { identify: identifyAnyhow })
    const outcomes = await client.batch([...callsOf(1), ...callsOf(1, 'odd')])
    expect(outcomes).toEqual([...oks(1), { ok: false, error: { code: -32603, message: 'oh' } }])
    await expect(client.endpoints[0]?.batch(callsOf(1, 'odd'))).rejects.toBeInstanceOf(RefusedCalls)
  })

  test('F161: may say what it likes beside its answers: it can be written, searched and logged', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const long = 'x'.repeat(1_000_000)
    const talking = await serve(([call], response) => {
      const error = `{"code":3,"message":"${long}","data":{"deep":${deep},"long":"${long}","data":"0x08c379a0"}}`
      response.end(`{"id":${call?.id},"error":${error}}`)
    })
    const node = new JsonRpcNode({ url: talking.url, timeoutMs: 20_000, isAnswer: () => true })
    const [outcome] = await node.batch(callsOf(1))
    expect(JSON.stringify(outcome).length).toBeLessThan(300_000)
    expect(outcome).toMatchObject({ ok: false, error: { code: 3, data: { data: '0x08c379a0' } } })
    node.close()
  })

  test('is asked last for what it is known not to take', async () => {
    const lacking: Handler = (calls, response, isBatch) =>
      calls.some(({ method }) => method === 'logs')
        ? refuses({ code: -32601, message: 'no such method' })(calls, response, isBatch)
        : answers(calls, response, isBatch)
    const [first, second] = [await serve(lacking), await serve(answers)]
    const client = clientOf([first, second])
    await client.batch(callsOf(1, 'logs'))
    await client.endpoints[0]?.batch(callsOf(1))
    // It is well, and others are asked all the same.
    expect(client.ordered()[0]?.rested).toBe(true)
    const asked = first.asked.length
    await client.batch(callsOf(1, 'logs'))
    expect(first.asked.length).toBe(asked)
    expect(client.endpoints[0]?.client.restrictions.list()).toEqual([
      { says: 'does not serve logs', cost: expect.stringContaining('Other endpoints') },
    ])
  })
})

const identifyAnyhow = { method: 'name', params: [], matches: () => true }

describe('a node that refuses batches (F164)', () => {
  const error = { code: -32600, message: 'batch requests are not allowed' }
  const tooMany =
    (most: number, refuse: Handler): Handler =>
    (calls, response, isBatch) =>
      calls.length > most ? refuse(calls, response, isBatch) : answers(calls, response, isBatch)

  test.each<[string, number, Handler]>([
    ['with one error', 1, (_, response) => say(response, { jsonrpc: '2.0', id: null, error })],
    ['with one error in a list', 1, (_, response) => say(response, [{ jsonrpc: '2.0', id: null, error }])],
    [
      'with an error for each',
      1,
      (calls, response) =>
        say(
          response,
          calls.map(({ id }) => ({ id, error })),
        ),
    ],
    ['with a text of its own', 3, (_, response) => say(response, { error: { code: 31, message: 'more than 3' } }, 500)],
    ['with a status', 20, (_, response) => void response.writeHead(400).end('too many')],
    [
      'beyond a number',
      10,
      (calls, response) =>
        say(
          response,
          calls.map(({ id, method }, at) =>
            at < 10 ? { id, result: method } : { id, error: { code: -32005, message: 'batch limit' } },
          ),
        ),
    ],
  ])('%s is asked in parts of %i, and it is remembered', async (_, most, refuse) => {
    const server = await serve(tooMany(most, refuse))
    const node = new JsonRpcNode({ url: server.url, timeoutMs: 20_000 })
    expect(await node.batch(callsOf(45))).toEqual(oks(45))
    const found = server.asked.length
    expect(await node.batch(callsOf(45))).toEqual(oks(45))
    expect(server.asked.length - found).toBe(Math.ceil(45 / most))
    expect(node.restrictions.list()).toEqual([
      { says: most === 1 ? 'takes no batches' : `takes at most ${most} calls a request`, cost: expect.any(String) },
    ])
    node.close()
  })

  test('and single calls too is not taken for one that is particular about batches', async () => {
    const server = await serve((_, response) => void response.writeHead(500).end('oh'))
    const node = new JsonRpcNode({ url: server.url, timeoutMs: 20_000 })
    await expect(node.batch(callsOf(45))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
    expect(node.restrictions.list()).toEqual([])
    // A rate is no matter of size, and what may have been sent is not sent twice unseen.
    for (const method of ['get', 'send']) {
      const asked = server.asked.length
      const sender = new JsonRpcNode({ url: server.url, timeoutMs: 20_000, unrepeatable: new Set(['send']) })
      await expect(sender.batch(callsOf(45, method))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
      expect(server.asked.length - asked).toBe(method === 'send' ? 1 : 5)
      sender.close()
    }
    node.close()
  })
})

describe('a node that limits bytes (F164)', () => {
  const LIMIT = 5_000
  const answerTo = (calls: readonly Call[]) => calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'x'.repeat(400) }))
  const sized = (refuse: Handler, isTooLarge: (calls: readonly Call[]) => boolean): Handler => {
    return (calls, response, isBatch) => {
      if (isTooLarge(calls)) return refuse(calls, response, isBatch)
      return say(response, isBatch ? answerTo(calls) : answerTo(calls)[0])
    }
  }
  const largeAnswer = (calls: readonly Call[]) => JSON.stringify(answerTo(calls)).length > LIMIT
  const largeRequest = (calls: readonly Call[]) => JSON.stringify(calls).length > LIMIT
  const errorForAll =
    (code: number, message: string): Handler =>
    (calls, response) =>
      say(
        response,
        calls.map(({ id }) => ({ id, error: { code, message } })),
      )
  const long = (count: number) => callsOf(count).map((call) => ({ ...call, params: ['p'.repeat(400)] }))

  test.each<[string, Handler, ReturnType<typeof long>]>([
    [
      'an answer: those after the limit fail',
      sized((calls, response) => {
        const error = { code: -32003, message: 'response too large' }
        say(
          response,
          answerTo(calls).map((answer, at) => (at < 8 ? answer : { id: answer.id, error })),
        )
      }, largeAnswer),
      callsOf(45),
    ],
    ['an answer: all fail', sized(errorForAll(-32008, 'Response is too big'), largeAnswer), callsOf(45)],
    [
      'an answer: one error',
      sized(
        (_, response) => say(response, { id: null, error: { code: -32000, message: 'batch response exceeds 5 kB' } }),
        largeAnswer,
      ),
      callsOf(45),
    ],
    ['an answer: a status', sized((_, response) => void response.writeHead(413).end(), largeAnswer), callsOf(45)],
    ['a request: a status', sized((_, response) => void response.writeHead(413).end(), largeRequest), long(45)],
    [
      'a request: one error',
      sized(
        (_, response) => say(response, { id: null, error: { code: -32600, message: 'request body too large' } }, 413),
        largeRequest,
      ),
      long(45),
    ],
  ])('refuses %s; the limit is found, remembered and kept to', async (_, handle, calls) => {
    let refused = 0
    const server = await serve((asked, response, isBatch) => {
      const isLarge = calls[0]?.params.length === 0 ? largeAnswer(asked) : largeRequest(asked)
      if (isLarge) refused += 1
      return handle(asked, response, isBatch)
    })
    const node = new JsonRpcNode({ url: server.url, timeoutMs: 20_000 })
    expect((await node.batch(calls)).every(({ ok }) => ok)).toBe(true)
    const before = { refused, asked: server.asked.length }
    expect(before.refused).toBeGreaterThan(0)
    expect((await node.batch([...calls, ...calls])).every(({ ok }) => ok)).toBe(true)
    expect(refused).toBe(before.refused)
    // 5,000 bytes hold ten calls; halving finds more than half of a limit.
    expect(server.asked.length - before.asked).toBeLessThanOrEqual(90 / 6)
    // Small calls are not divided for the size of large ones.
    expect(node.restrictions.mostCalls).toBe(Number.POSITIVE_INFINITY)
    expect(node.restrictions.list().map(({ says }) => says)).toEqual([
      expect.stringMatching(/of about [2345]\d{3} bytes/),
    ])
    node.close()
  })

  test('sends a transaction again only where it took none of them', async () => {
    const answering = await serve(errorForAll(-32003, 'response too large'))
    const refusing = await serve((calls, response) =>
      calls.length > 1
        ? say(response, { id: null, error: { code: -32600, message: 'request body too large' } })
        : say(response, { id: calls[0]?.id, result: 'send' }),
    )
    const nodes = [answering, refusing].map(
      ({ url }) => new JsonRpcNode({ url, timeoutMs: 20_000, unrepeatable: new Set(['send']) }),
    )
    await expect(nodes[0]?.batch(callsOf(3, 'send'))).rejects.toBeInstanceOf(RefusedCalls)
    expect(answering.asked).toHaveLength(1)
    expect(await nodes[1]?.batch(callsOf(3, 'send'))).toEqual(oks(3, 'send'))
    for (const node of nodes) node.close()
  })
})
