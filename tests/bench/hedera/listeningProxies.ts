import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net'

/** Proxies before the nodes of Hedera networks that note when an order id passes. */
export interface ListeningProxies {
  /** Endpoint of a mirror node behind a proxy; the consensus nodes that it names are behind proxies too. */
  mirror(http: string): Promise<string>
  /** Resolves with the moments at which a mirror node first answered with the order, and a consensus node first was sent it. */
  passed(orderId: string): Promise<{ readonly answered: number; readonly sent: number }>
  close(): Promise<void>
}

interface Awaited {
  readonly orderId: string
  readonly memo: string
  answered: number | null
  resolve(sent: number): void
}

const TAIL = 66

export const startListeningProxies = (): ListeningProxies => {
  const servers: (Server | TcpServer)[] = []
  const awaited = new Map<string, Awaited>()
  const heardAnswer = (text: string): void => {
    for (const one of awaited.values()) if (text.includes(one.memo)) one.answered ??= performance.now()
  }
  const heardBytes = (text: string): void => {
    for (const one of awaited.values()) if (text.includes(one.orderId)) one.resolve(performance.now())
  }
  const nodes = new Map<string, Promise<number>>()
  const nodeProxy = (host: string, port: number): Promise<number> => {
    const key = `${host}:${port}`
    const known = nodes.get(key) ?? listenTcp(servers, { host, port }, heardBytes)
    nodes.set(key, known)
    return known
  }
  return {
    mirror: async (http) => {
      const server = createServer((request, response) => {
        const answer = async () => {
          const found = await fetch(`${http}${request.url}`)
          const text = await found.text()
          heardAnswer(text)
          const body = request.url?.includes('/network/nodes') === true ? await behindProxies(text, nodeProxy) : text
          response.writeHead(found.status, { 'content-type': 'application/json' }).end(body)
        }
        answer().catch(() => response.writeHead(502).end())
      })
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${portOf(server)}`
    },
    passed: (orderId) =>
      new Promise((resolve) => {
        const memo = Buffer.from(orderId).toString('base64')
        const one: Awaited = {
          ...{ orderId, memo, answered: null },
          resolve: (sent) => {
            if (one.answered === null) return
            awaited.delete(orderId)
            resolve({ answered: one.answered, sent })
          },
        }
        awaited.set(orderId, one)
      }),
    close: async () => {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

const portOf = (server: Server | TcpServer): number => {
  // CAST: the server listens on a port.
  return (server.address() as AddressInfo).port
}

interface Target {
  readonly host: string
  readonly port: number
}

/** Carries bytes to a consensus node, and hands on what was sent, with the end of the bytes before. */
const listenTcp = async (
  servers: (Server | TcpServer)[],
  { host, port }: Target,
  heard: (text: string) => void,
): Promise<number> => {
  const server = createTcpServer((incoming) => {
    const outgoing = connect(port, host)
    let tail = ''
    incoming.on('data', (chunk: Buffer) => {
      const text = tail + chunk.toString('latin1')
      heard(text)
      tail = text.slice(-TAIL)
    })
    incoming.pipe(outgoing).pipe(incoming)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return portOf(server)
}

/** The list of consensus nodes with the ports of proxies. */
const behindProxies = async (
  text: string,
  proxyOf: (host: string, port: number) => Promise<number>,
): Promise<string> => {
  // CAST: the shape of the mirror API.
  const list = JSON.parse(text) as {
    readonly nodes: readonly {
      readonly service_endpoints: readonly { readonly ip_address_v4: string; readonly port: number }[]
    }[]
  }
  const nodes = list.nodes.map(async (node) => ({
    ...node,
    service_endpoints: await Promise.all(
      node.service_endpoints.map(async (endpoint) => ({
        ...endpoint,
        port: await proxyOf(endpoint.ip_address_v4, Number(endpoint.port)),
      })),
    ),
  }))
  return JSON.stringify({ ...list, nodes: await Promise.all(nodes) })
}
