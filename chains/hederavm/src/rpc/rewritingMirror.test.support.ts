import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A transaction in an answer of a mirror node. */
export type Listed = Readonly<Record<string, unknown>>

/** A mirror node that answers as another one does, but with transactions of its own making. */
export const startRewritingMirror = async (http: string, rewrite: (transaction: Listed) => Listed) => {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const found = await fetch(`${http}${request.url}`)
      const text = await found.text()
      const isList = found.status === 200 && request.url?.startsWith('/api/v1/transactions') === true
      const body = isList ? rewritten(text, rewrite) : text
      response.writeHead(found.status, { 'content-type': 'application/json' }).end(body)
    }
    answer().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: the server listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    http: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

const rewritten = (text: string, rewrite: (transaction: Listed) => Listed): string => {
  // CAST: the shape of the mirror API.
  const answer = JSON.parse(text) as { readonly transactions: readonly Listed[] }
  return JSON.stringify({ ...answer, transactions: answer.transactions.map(rewrite) })
}
