import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Proxies before Tron nodes that note when an order id passes. */
export interface NodeProxies {
  /** Endpoint of a node behind a proxy. */
  before(http: string): Promise<string>
  /** Resolves with the times at which a node first answered with the order, and a node first was sent a payment with it. */
  passed(orderId: string): Promise<Passed>
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

export const startNodeProxies = (): NodeProxies => {
  const servers: ReturnType<typeof createServer>[] = []
  const awaited = new Map<string, Awaited>()
  const heard = (text: string, note: (one: Awaited) => void): void => {
    for (const [id, one] of awaited) if (text.includes(id)) note(one)
  }
  const isSent = (one: Awaited): void => {
    if (one.answered !== null) one.resolve(performance.now())
  }
  const isAnswered = (one: Awaited): void => {
    one.answered ??= performance.now()
  }
  return {
    before: async (http) => {
      const server = createServer((request, response) => {
        const forward = async () => {
          let body = ''
          for await (const chunk of request) body += chunk
          if (/^\/wallet\/broadcast/.test(request.url ?? '')) heard(body, isSent)
          const headers = { 'content-type': 'application/json' }
          const posted = request.method === 'POST' ? { method: 'POST', body, headers } : {}
          const found = await fetch(`${http}${request.url}`, posted)
          const text = await found.text()
          if (/^\/wallet\/getblock/.test(request.url ?? '')) heard(text, isAnswered)
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
        const id = orderId.slice(2)
        const one: Awaited = {
          answered: null,
          resolve: (sent) => {
            awaited.delete(id)
            resolve({ answered: one.answered ?? sent, sent })
          },
        }
        awaited.set(id, one)
      }),
    close: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
