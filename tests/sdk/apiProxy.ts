import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call as a client made it. */
export interface SeenCall {
  readonly method: string
  /** Without the prefix and the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** The JSON of the body; undefined when there is none. */
  readonly body: unknown
  /** Of the answer; 0 before it. */
  readonly status: number
}

/** Stands before a host as an operator's own server does: under a path of its own, and with a key if told. */
export interface ApiProxy {
  /** The base address for clients, with the prefix. */
  readonly url: string
  /** Every call below the prefix, in the order they came. */
  readonly calls: readonly SeenCall[]
  close(): Promise<void>
}

export interface ApiProxyOptions {
  /** Address of the host; asked for each call, since a host may come back elsewhere. */
  readonly target: () => string
  /** For example `/bridge/api`. What is asked for elsewhere is not found. */
  readonly prefix?: string
  /** Added to every call, as the server of a browser application does. */
  readonly apiKey?: string
}

export const startApiProxy = async (options: ApiProxyOptions): Promise<ApiProxy> => {
  const { prefix = '' } = options
  const calls: SeenCall[] = []
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing, options, calls).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a server on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const pass = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, prefix = '', apiKey }: ApiProxyOptions,
  calls: SeenCall[],
): Promise<void> => {
  const { method = 'GET', url = '/', headers } = incoming
  if (!url.startsWith(`${prefix}/`)) {
    outgoing.writeHead(404).end()
    return
  }
  const { pathname: path, searchParams: query, href } = new URL(url.slice(prefix.length), target())
  const call = { method, path, query, headers, body: undefined as unknown, status: 0 }
  calls.push(call)
  const text = await textOf(incoming)
  if (text !== '') call.body = JSON.parse(text)
  const answer = await fetch(href, {
    method,
    headers: { ...passedOn(headers), ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }) },
    ...(text === '' ? {} : { body: text }),
  })
  call.status = answer.status
  outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
  outgoing.end(await answer.text())
}

const PASSED_ON = ['content-type', 'x-api-key', 'relay-sdk-version', 'origin']

const passedOn = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

const textOf = async (stream: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
