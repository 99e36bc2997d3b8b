import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RpcEndpoint } from '@causeway/core/chain'
import { type NodeAnswer, type OddNode, refusingNodes, strangeNodes } from '@causeway/core/testing'
import { WebSocketServer } from 'ws'
import { relaySocket, type SocketQuirk, socketQuirks } from './socketQuirks.js'

interface Call {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: readonly unknown[]
}

/** A node that refuses some requests by its operator's rules, and serves all others. */
const ruledNode = (
  what: string,
  refuses: (calls: readonly Call[], text: string) => boolean,
  code: number,
): OddNode => ({
  what,
  answer: async (question, forward) => {
    const text = question.toString('utf8')
    const parsed = jsonOf(text)
    const calls = [parsed].flat().filter((call): call is Call => typeof call === 'object' && call !== null)
    if (!refuses(calls, text)) return forward()
    const error = { code, message: what }
    const body = Array.isArray(parsed)
      ? { jsonrpc: '2.0', id: null, error }
      : { jsonrpc: '2.0', id: calls[0]?.id, error }
    const isRpc = calls.some(({ method }) => typeof method === 'string')
    return { status: isRpc ? 200 : 403, type: 'application/json', body: Buffer.from(JSON.stringify(body)) }
  },
})

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const BROADCASTS: ReadonlySet<unknown> = new Set([
  'eth_sendRawTransaction',
  'sendTransaction',
  'sendrawtransaction',
  'submit',
])

/** A node that gives no long answer to a batch. */
const SMALL_ANSWERS: OddNode = {
  what: 'gives batches no more than 3 kB',
  answer: async (question, forward) => {
    const parsed = jsonOf(question.toString('utf8'))
    const real = await forward()
    if (!Array.isArray(parsed) || parsed.length < 2 || real.body.length <= 3000) return real
    const error = { code: -32003, message: 'response too large' }
    const body = parsed.map(({ id }: Call) => ({ jsonrpc: '2.0', id, error }))
    return { status: 200, type: 'application/json', body: Buffer.from(JSON.stringify(body)) }
  },
}

/** Rules of public nodes: batches, logs without an address, transactions. */
export const ruledNodes: readonly OddNode[] = [
  ruledNode('refuses every batch', (calls) => calls.length > 1, -32600),
  ruledNode('refuses batches of more than 3 calls', (calls) => calls.length > 3, -32005),
  ruledNode(
    'refuses requests of more than 2 kB in a batch',
    (calls, text) => calls.length > 1 && text.length > 2000,
    -32600,
  ),
  SMALL_ANSWERS,
  ruledNode(
    'wants you to specify an address in eth_getLogs',
    (calls) =>
      calls.some(({ method, params }) => method === 'eth_getLogs' && Object(params?.[0]).address === undefined),
    -32701,
  ),
  ruledNode(
    'takes no transactions: method not found',
    (calls, text) => calls.some(({ method }) => BROADCASTS.has(method)) || /^[0-9a-f]{100,}$/i.test(text),
    -32601,
  ),
]

/** Every way in which a node of any VM is odd here, by seed. */
export const quirks: readonly OddNode[] = [...strangeNodes, ...refusingNodes, ...ruledNodes]

/** An endpoint before a node that behaves as it is told. */
export interface QuirkProxy {
  readonly endpoint: RpcEndpoint
  /** Requests that a quirk answered, and pushes that one changed. */
  readonly met: ReadonlyMap<string, number>
  /** Null: it hands on all that it is asked. */
  set(quirk: OddNode | null): void
  /** Null: it hands on all that is pushed. */
  setSocket(quirk: SocketQuirk | null): void
  close(): Promise<void>
}

/** Starts a proxy before a node of any VM, and before its websocket where it has one. */
export const startQuirkProxy = async ({ http, ws }: RpcEndpoint): Promise<QuirkProxy> => {
  let quirk: OddNode | null = null
  let socketQuirk: SocketQuirk | null = null
  const met = new Map<string, number>()
  const meet = ({ what }: { readonly what: string }) => void met.set(what, (met.get(what) ?? 0) + 1)
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const question = Buffer.concat(chunks)
    const forward = () => forwarded(http, incoming, question)
    if (quirk !== null) meet(quirk)
    const { status, type, body } = await (quirk === null ? forward() : quirk.answer(question, forward))
    outgoing.writeHead(status, { 'content-type': type }).end(body)
  }
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, raw: Socket, start) => {
    if (ws === undefined) return raw.destroy()
    sockets.handleUpgrade(request, raw, start, (client) =>
      relaySocket(client, {
        raw,
        url: ws,
        quirk: () => {
          if (socketQuirk !== null) meet(socketQuirk)
          return socketQuirk
        },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: {
      http: `http://127.0.0.1:${port}`,
      provider: 'local',
      ...(ws === undefined ? {} : { ws: `ws://127.0.0.1:${port}` }),
    },
    met,
    set: (next) => {
      quirk = next
    },
    setSocket: (next) => {
      socketQuirk = next
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const forwarded = async (
  http: string,
  { url = '/', method = 'POST', headers }: IncomingMessage,
  body: Buffer,
): Promise<NodeAnswer> => {
  const type = headers['content-type']
  const response = await fetch(`${http.replace(/\/$/, '')}${url === '/' ? '' : url}`, {
    method,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? 'application/json',
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** Puts quirks on proxies by a seed, another one every `everyMs`, until it is stopped. */
export const quirkWeather = (proxies: readonly QuirkProxy[], seed: number, everyMs: number): { stop(): void } => {
  let state = seed >>> 0
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const blow = () => {
    for (const proxy of proxies) {
      proxy.set(quirks[below(quirks.length + 3)] ?? null)
      proxy.setSocket(socketQuirks[below(socketQuirks.length + 2)] ?? null)
    }
  }
  blow()
  const timer = setInterval(blow, everyMs)
  return { stop: () => clearInterval(timer) }
}
