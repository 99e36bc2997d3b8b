import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type AnsweringServer, startServer } from './answeringServer.test.support.js'
import { strangeAnswer } from './checkedAnswer.js'
import { JsonRpcClient } from './jsonRpcClient.js'
import { JsonRpcNode, type RpcCall } from './jsonRpcNode.js'
import type { RpcDialect } from './rpcDialect.js'

/** `{ ask, with }` in, `{ said }` or `{ wrong }` out. */
const dialect: RpcDialect = {
  write: ({ method, params }) => ({ ask: method, with: params[0] }),
  read: (answer) => {
    if (typeof answer !== 'object' || answer === null) throw strangeAnswer('no object')
    if ('wrong' in answer) return { ok: false, error: { code: 1, message: String(answer.wrong) } }
    if (!('said' in answer)) throw strangeAnswer('nothing said')
    return { ok: true, result: answer.said }
  },
}

const servers: AnsweringServer[] = []

const serve = async (answer: Parameters<typeof startServer>[0]): Promise<AnsweringServer> => {
  const server = await startServer(answer)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const callsOf = (count: number): RpcCall[] =>
  Array.from({ length: count }, (_, at) => ({ method: 'get', params: [at] }))

const withOf = (body: string): number => (JSON.parse(body) as { with: number }).with

const nodeOf = ({ url }: AnsweringServer) => new JsonRpcNode({ url, timeoutMs: 2000, dialect })

const clientOf = (nodes: readonly AnsweringServer[]) =>
  new JsonRpcClient({
    protocol: {
      identify: { method: 'name', params: [], matches: () => true },
      unrepeatable: new Set<string>(),
      dialect,
      isAnswer: ({ message }) => message !== 'slow down',
    },
    endpoints: nodes.map(({ url }) => ({ http: url })),
    timeoutMs: 2000,
    logger: pino({ level: 'silent' }),
  })

test('each call of a batch is a request in the form of the dialect, and outcomes keep their order', async () => {
  const server = await serve(({ body }, response) => {
    const at = withOf(body)
    response.end(JSON.stringify(at === 1 ? { wrong: 'no' } : { said: at }))
  })
  expect(await nodeOf(server).batch(callsOf(3))).toEqual([
    { ok: true, result: 0 },
    { ok: false, error: { code: 1, message: 'no' } },
    { ok: true, result: 2 },
  ])
  expect(server.asked.map(({ body }) => body).sort()).toEqual([0, 1, 2].map((at) => `{"ask":"get","with":${at}}`))
})

test('no more than 16 requests of a batch are under way at once', async () => {
  const open: (() => void)[] = []
  const server = await serve(({ body }, response) => {
    open.push(() => response.end(JSON.stringify({ said: withOf(body) })))
  })
  const outcomes = nodeOf(server).batch(callsOf(20))
  await expect.poll(() => open.length).toBe(16)
  for (const answer of open.splice(0)) answer()
  await expect.poll(() => open.length).toBe(4)
  for (const answer of open.splice(0)) answer()
  expect((await outcomes).map((outcome) => outcome.ok && outcome.result)).toEqual(callsOf(20).map((_, at) => at))
})

test('what is no answer, or comes with another HTTP status, is a failure of the whole batch', async () => {
  const strange = await serve((_, response) => response.end('{}'))
  await expect(nodeOf(strange).batch(callsOf(2))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  const refusing = await serve(({ body }, response) => {
    response.statusCode = withOf(body) === 1 ? 503 : 200
    response.end('{"said":"jsonrpc","jsonrpc":1}')
  })
  await expect(nodeOf(refusing).batch(callsOf(20))).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('a batch ends with its signal', async () => {
  const server = await serve(() => undefined)
  const stop = new AbortController()
  const asked = nodeOf(server).batch(callsOf(2), stop.signal)
  await expect.poll(() => server.asked.length).toBe(2)
  stop.abort('enough')
  await expect(asked).rejects.toThrow()
  await expect(nodeOf(server).batch(callsOf(1), AbortSignal.abort())).rejects.toThrow()
})

test('another node is asked where one refuses in words of its own', async () => {
  const busy = await serve(({ body }, response) => {
    response.end(body.includes('name') ? '{"said":true}' : '{"wrong":"slow down"}')
  })
  const right = await serve((_, response) => response.end('{"said":7}'))
  const rpc = clientOf([busy, right])
  expect(await rpc.call('get', [])).toBe(7)
  expect(rpc.ordered().map(({ name }) => name)).toEqual(['endpoint 2', 'endpoint 1'])
  rpc.close()
})
