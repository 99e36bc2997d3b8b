import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is asked of a node: `GET /tx/...` of Esplora, or the body of a JSON-RPC call. */
export type Rewrite = (asked: string, answer: string) => string

/** A node in front of another one that answers what `rewrite` makes of the answers. */
export const startRewritingNode = async (
  target: string,
  rewrite: Rewrite,
): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = createServer((incoming, outgoing) => {
    const serve = async () => {
      const body = await bodyOf(incoming)
      const { method = 'GET', url = '/' } = incoming
      const answer = await fetch(`${target}${url === '/' ? '' : url}`, {
        method,
        ...(method === 'GET' ? {} : { body }),
      })
      const text = rewrite(`${method} ${url} ${body}`, await answer.text())
      outgoing
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
        .end(text)
    }
    serve().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
