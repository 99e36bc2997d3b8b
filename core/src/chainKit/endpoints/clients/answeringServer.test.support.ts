import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server was asked. */
export interface Asked {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly type: string | undefined
  readonly body: string
  readonly connection: IncomingMessage['socket']
}

export interface AnsweringServer {
  readonly url: string
  readonly asked: Asked[]
  close(): Promise<void>
}

/** An HTTP server on a free port that answers as it is told, or hangs where nothing is answered. */
export const startServer = async (
  answer: (asked: Asked, response: ServerResponse) => void,
): Promise<AnsweringServer> => {
  const asked: Asked[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url: path = '', headers, socket: connection } = incoming
    const body = Buffer.concat(chunks).toString('utf8')
    const question = { method, path, type: headers['content-type'], body, connection }
    asked.push(question)
    answer(question, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/key`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
