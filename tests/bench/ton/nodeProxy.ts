import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Proxies before TON nodes that note when an order id passes, and count calls. */
export interface NodeProxies {
  /** Endpoint of a node behind a proxy. */
  before(http: string): Promise<string>
  /** Resolves with the times at which a node first answered with the order, and a node first was sent a message with it. */
  passed(orderId: string): Promise<Passed>
  /** Calls by method since the start. */
  readonly calls: ReadonlyMap<string, number>
  close(): Promise<void>
}

export interface Passed {
  readonly answered: number
  readonly sent: number
}

interface Awaited {
  answered: number | null
  resolve(sent: number): void
}

const CELLS = /[A-Za-z0-9+/]{80,}={0,2}/g

export const startNodeProxies = (): NodeProxies => {
  const servers: ReturnType<typeof createServer>[] = []
  const awaited = new Map<string, Awaited>()
  const calls = new Map<string, number>()
  const heard = (text: string, note: (one: Awaited) => void): void => {
    if (awaited.size === 0) return
    const cells = [...text.matchAll(CELLS)].map(([cell]) => Buffer.from(cell, 'base64'))
    for (const [orderId, one] of awaited) if (cells.some((cell) => cell.includes(orderId))) note(one)
  }
  const isSent = (one: Awaited): void => {
    if (one.answered !== null) one.resolve(performance.now())
  }
  const isAnswered = (one: Awaited): void => {
    one.answered ??= performance.now()
  }
  return {
    calls,
    before: async (http) => {
      const server = createServer((request, response) => {
        const forward = async () => {
          let body = ''
          for await (const chunk of request) body += chunk
          const method = String(Object(JSON.parse(body || '{}')).method ?? request.url)
          calls.set(method, (calls.get(method) ?? 0) + 1)
          if (method === 'sendBoc') heard(body, isSent)
          const headers = { 'content-type': 'application/json' }
          const posted = request.method === 'POST' ? { method: 'POST', body, headers } : {}
          const found = await fetch(`${http}${request.url}`, posted)
          const text = await found.text()
          if (method === 'getTransactions') heard(text, isAnswered)
          response.writeHead(found.status, headers).end(text)
        }
        forward().catch(() => response.writeHead(502).end())
      })
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      // CAST: the server listens on a port.
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    passed: (orderId) =>
      new Promise((resolve) => {
        const one: Awaited = {
          answered: null,
          resolve: (sent) => {
            awaited.delete(orderId)
            resolve({ answered: one.answered ?? sent, sent })
          },
        }
        awaited.set(orderId, one)
      }),
    close: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
