import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RpcEndpoint } from '../../../chain/endpoint/rpcEndpoint.js'
import { KEEP_ALIVE_MS } from '../../localLedger/nodeServer.js'
import { AnswerNotes, callsOf } from './answerNotes.js'
import type { OddNode } from './oddNodes.js'

/**
 * What stands between the adapter and its endpoint: nothing, or a fault. `answers-lost` and `error-told` hand the question on,
 * but lose the answer, or give an error in its place. `noting` passes and keeps each answer; `past` gives those again, and
 * nothing else: a node that stands where it stood then. An `OddNode` answers in its own way.
 */
export type GateFault =
  | 'pass'
  | 'silent'
  | 'garbage'
  | 'error-status'
  | 'refusing'
  | 'answers-lost'
  | 'error-told'
  | 'noting'
  | 'past'

/** Behaviour of a gate: a fault of the connection, or odd answers. */
export type GateMode = GateFault | OddNode

/** An endpoint in front of another one, whose connection can be spoilt. Its URL holds a secret that must never be told. */
export interface EndpointGate {
  readonly endpoint: RpcEndpoint
  readonly secret: string
  set(mode: GateMode): void
  close(): Promise<void>
}

const SECRET = 'k3y-5ec4e7f00d'
const GARBAGE = '<html><body>Welcome to our service</body></html>'

/** Starts a gate before an endpoint, or before nothing for one that is only ever wrong. */
export const startGate = async (target: RpcEndpoint | null, first: GateMode = 'pass'): Promise<EndpointGate> => {
  let mode = first
  const notes = new AnswerNotes()
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    if (mode === 'silent') return
    if (mode === 'refusing') return void incoming.socket.destroy()
    if (mode === 'garbage') return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end(GARBAGE)
    if (mode === 'error-status' || target === null) return void outgoing.writeHead(503).end('upstream failure')
    if (mode === 'past') return answerFrom(notes, incoming, body, outgoing)
    if (typeof mode === 'object') {
      const question = body.length === 0 ? Buffer.from(incoming.url ?? '') : body
      const odd = await mode.answer(question, () => forward(target.http, incoming, body))
      return void outgoing.writeHead(odd.status, { 'content-type': odd.type }).end(odd.body)
    }
    const answer = await forward(target.http, incoming, body)
    if (mode === 'answers-lost') return void incoming.socket.destroy()
    if (mode === 'error-told') return tellError(body, outgoing)
    if (mode === 'noting') notes.keep(incoming, body, answer.body)
    outgoing.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: { http: `http://127.0.0.1:${port}/${SECRET}`, provider: 'gate' },
    secret: SECRET,
    set: (next) => {
      mode = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const answerFrom = (notes: AnswerNotes, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
  const known = notes.find(incoming, body)
  if (known === null) outgoing.writeHead(503).end('upstream failure')
  else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(known)
}

/** An error of the node's own protocol, as one that is overloaded gives it behind a balancer. */
const tellError = (body: Buffer, outgoing: ServerResponse): void => {
  const calls = callsOf(body)
  if (calls === null) return void outgoing.writeHead(500).end('internal error')
  const errors = calls.list.map(({ id }) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'Internal error' },
  }))
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(calls.batch ? errors : errors[0]))
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Whatever follows the secret in the path is kept: some chains have more than one path. */
const forward = async (http: string, incoming: IncomingMessage, body: Buffer) => {
  const rest = (incoming.url ?? '').slice(SECRET.length + 1)
  const { method = 'POST', headers } = incoming
  const type = headers['content-type']
  const response = await fetch(`${http.replace(/\/$/, '')}${rest}`, {
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
