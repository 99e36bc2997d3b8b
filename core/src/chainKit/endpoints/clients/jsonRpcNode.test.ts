import type { ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type AnsweringServer, startServer } from './answeringServer.test.support.js'
import { answerOf } from './checkedAnswer.js'
import type { HttpTransportDeps, OpenTransport } from './httpTransport.js'
import { JsonRpcClient } from './jsonRpcClient.js'
import { JsonRpcNode, type JsonRpcNodeDeps } from './jsonRpcNode.js'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

const servers: AnsweringServer[] = []

/** A node that answers each call by its method. */
const serve = async (results: (call: Call) => unknown): Promise<AnsweringServer> => {
  const server = await startServer(({ body }, response: ServerResponse) => {
    // CAST: only JSON-RPC is spoken here.
    const asked = JSON.parse(body) as Call | Call[]
    const answers = [asked].flat().map((call) => ({ jsonrpc: '2.0', id: call.id, result: results(call) }))
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  })
  servers.push(server)
  return server
}

const nodeOf = ({ url }: AnsweringServer, deps: Partial<JsonRpcNodeDeps> = {}) =>
  new JsonRpcNode({ url, timeoutMs: 2000, ...deps })

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const callsOf = (count: number, method = 'get') => Array.from({ length: count }, (_, at) => ({ method, params: [at] }))

test('answers that are too large together are asked for in halves, broadcasts never', async () => {
  const server = await serve(() => 'x'.repeat(100))
  const node = nodeOf(server, { maxBytes: 400, unrepeatable: new Set(['send']) })
  expect((await node.batch(callsOf(4))).every(({ ok }) => ok)).toBe(true)
  expect(server.asked.length).toBe(3)
  await expect(node.batch(callsOf(4, 'send'))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  expect(server.asked.length).toBe(4)
})

test('one call goes out by itself, or as a batch where the node wants that, and amounts keep their text', async () => {
  const server = await serve(() => 1)
  await nodeOf(server).batch(callsOf(1))
  const parse = (text: string) => JSON.parse(text.replaceAll(':1}', ':"1.0"}'))
  const [outcome] = await nodeOf(server, { alwaysBatched: true, parse }).batch(callsOf(1))
  expect(outcome).toEqual({ ok: true, result: '1.0' })
  expect(server.asked.map(({ body }) => body[0])).toEqual(['{', '['])
})

test('an answer that a reader refuses is no answer: the next node is asked', async () => {
  const [strange, right] = [await serve(() => ({ height: '7' })), await serve(() => ({ height: 7 }))]
  const protocol = {
    identify: { method: 'name', params: [], matches: () => true },
    unrepeatable: new Set<string>(),
  }
  const endpoints = [strange, right].map(({ url }) => ({ http: url }))
  const rpc = new JsonRpcClient({ protocol, endpoints, timeoutMs: 2000, logger: pino({ level: 'silent' }) })
  const read = answerOf(Type.Object({ height: Type.Integer() }))
  expect(await rpc.call('head', [], read)).toEqual({ height: 7 })
  expect(rpc.ordered().map(({ name }) => name)).toEqual(['endpoint 2', 'endpoint 1'])
  await expect(nodeOf(strange).call({ method: 'head', params: [] }, read)).rejects.toMatchObject({
    code: 'RPC_HTTP_ERROR',
  })
  rpc.close()
})

test('a batch ends with its signal, and no endpoint is blamed', async () => {
  const server = await startServer(({ body }, response) => {
    if (body.includes('name')) response.end('{"jsonrpc":"2.0","id":1,"result":true}')
  })
  servers.push(server)
  const protocol = { identify: { method: 'name', params: [], matches: () => true }, unrepeatable: new Set<string>() }
  const endpoints = [{ http: server.url }]
  const rpc = new JsonRpcClient({ protocol, endpoints, timeoutMs: 2000, logger: pino({ level: 'silent' }) })
  const stop = new AbortController()
  const asked = rpc.batch(callsOf(1), stop.signal)
  await expect.poll(() => server.asked.length).toBe(2)
  stop.abort('enough')
  await expect(asked).rejects.toBe('enough')
  expect(rpc.endpoints[0]).toMatchObject({ failure: null, rested: true })
  rpc.close()
})

test('a node is reached by another transport than HTTP, which is told of limits and of what may be sent twice', async () => {
  const opened: HttpTransportDeps[] = []
  const sent: { readonly body: string | undefined; readonly repeatable: boolean }[] = []
  let closed = 0
  const transport: OpenTransport = (deps) => {
    opened.push(deps)
    return {
      send: async ({ body, repeatable }) => {
        sent.push({ body: body?.text, repeatable })
        return { status: 200, body: Buffer.from('{"jsonrpc":"2.0","id":1,"result":7}') }
      },
      close: () => {
        closed += 1
      },
    }
  }
  const client = new JsonRpcClient({
    protocol: { identify: { method: 'name', params: [], matches: (name) => name === 7 }, unrepeatable: new Set() },
    endpoints: [{ http: 'http://nowhere.invalid' }],
    timeoutMs: 321,
    logger: pino({ level: 'silent' }),
    transport,
  })
  const node = new JsonRpcNode({ url: 'x', timeoutMs: 5, unrepeatable: new Set(['send']), transport })
  expect(await node.batch([{ method: 'send', params: [] }])).toEqual([{ ok: true, result: 7 }])
  client.close()
  expect(opened.map(({ url, timeoutMs }) => [url, timeoutMs])).toEqual([
    ['http://nowhere.invalid', 321],
    ['x', 5],
  ])
  expect(sent).toEqual([{ body: '{"jsonrpc":"2.0","id":1,"method":"send","params":[]}', repeatable: false }])
  expect(closed).toBe(1)
})
