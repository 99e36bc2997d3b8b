import { connect, createServer, type Socket } from 'node:net'

/** Stands before a server and can be cut, as a network or a server that stops. */
export interface TcpProxy {
  readonly port: number
  /** Ends every connection and takes no more. */
  cut(): Promise<void>
  /** Takes connections again, on the same port. */
  restore(): Promise<void>
}

export const startTcpProxy = async (target: { readonly host: string; readonly port: number }): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side learns of it by its own end.
    socket.on('error', () => undefined)
  }
  const server = createServer((incoming) => {
    const outgoing = connect(target.port, target.host)
    keep(incoming)
    keep(outgoing)
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    restore: () => listen(port),
  }
}
