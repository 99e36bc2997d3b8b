import { connect, createServer, type Socket } from 'node:net'
import { testPort } from './testPort.js'

/** Stands before a server and can be cut, as a network or a server that stops. */
export interface TcpProxy {
  readonly port: number
  /** Ends every connection and takes no more. */
  cut(): Promise<void>
  /**
   * Carries nothing more and ends nothing, as a network that drops packets: connections that are open stay silent for ever, new ones
   * until it works again.
   */
  vanish(): void
  /** Carries new connections again after `vanish`. */
  appear(): void
  /** Takes connections again, on the same port, for another server where one is named. */
  restore(to?: TcpTarget): Promise<void>
}

export interface TcpTarget {
  readonly host: string
  readonly port: number
}

export const startTcpProxy = async (first: TcpTarget): Promise<TcpProxy> => {
  let target = first
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side learns of it by its own end.
    socket.on('error', () => undefined)
  }
  let vanished = false
  const pipes = new Set<readonly [Socket, Socket]>()
  const server = createServer((incoming) => {
    keep(incoming)
    if (vanished) return void incoming.pause()
    const outgoing = connect(target.port, target.host)
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
    const pair = [incoming, outgoing] as const
    pipes.add(pair)
    const end = () => {
      if (!pipes.delete(pair)) return
      for (const socket of pair) socket.destroy()
    }
    incoming.on('close', end)
    outgoing.on('close', end)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const port = await testPort()
  await listen(port)
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    vanish: () => {
      vanished = true
      for (const [incoming, outgoing] of pipes) {
        for (const socket of [incoming, outgoing]) socket.unpipe().pause()
      }
      // Neither side hears of the other's end any more.
      pipes.clear()
    },
    appear: () => {
      vanished = false
    },
    restore: (to = target) => {
      target = to
      return listen(port)
    },
  }
}
