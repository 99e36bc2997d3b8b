import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A price source of a test: a real HTTP server that answers as it is told. */
export interface PriceServer {
  readonly url: string
  /** Paths with query, and headers, of every request so far. */
  readonly requests: { readonly url: URL; readonly headers: IncomingMessage['headers'] }[]
  answer: (response: ServerResponse, url: URL) => void
  close(): Promise<void>
}

/** Sends a value, or a text as it is, as JSON. */
export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const startPriceServer = async (): Promise<PriceServer> => {
  const requests: PriceServer['requests'] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    requests.push({ url, headers: request.headers })
    running.answer(response, url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: the server listens on a TCP port.
  const { port } = server.address() as AddressInfo
  const running: PriceServer = {
    url: `http://127.0.0.1:${port}/base`,
    requests,
    answer: (response) => sendJson(response, {}),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return running
}

type Fault = (response: ServerResponse) => void

/** Ways of a server to answer with nothing that could be a price (faults.md F79). */
export const HTTP_FAULTS: Readonly<Record<string, Fault>> = {
  hangs: () => undefined,
  'stops half way': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"ethereum":{"usd":')
  },
  'resets the connection': (response) => void response.socket?.destroy(),
  'sends us elsewhere': (response) => {
    response.writeHead(302, { location: '/elsewhere' })
    response.end()
  },
  'sends 100 MB': (response) => {
    const piece = Buffer.alloc(1024 * 1024, ' ')
    let left = 100
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left--
        if (!response.write(piece)) return
      }
      response.end()
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.on('drain', more)
    more()
  },
  'sends garbage': (response) => sendJson(response, '<html>1.23</html>'),
  'sends half a text': (response) => sendJson(response, '{"ethereum":{"usd":20'),
  'sends a list': (response) => sendJson(response, '[]'),
  'sends null': (response) => sendJson(response, 'null'),
  'sends nothing': (response) => response.end(),
  'says 429': (response) => sendJson(response, '{"ethereum":{"usd":1}}', 429),
  'says 500': (response) => sendJson(response, '{}', 500),
}
