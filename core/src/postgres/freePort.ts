import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those may be taken between its choice and its use. */
const PORTS = { first: 15_000, last: 31_999 } as const
const TRIES = 100

/** A port of 127.0.0.1 that nobody listens on. @throws Error when none of a hundred is free */
export const freePort = async (): Promise<number> => {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const port = randomInt(PORTS.first, PORTS.last + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`No port of 127.0.0.1 from ${PORTS.first} to ${PORTS.last} seems to be free.`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
