import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Readonly<Record<string, unknown>>

/** What becomes of a question, or of its answer. */
type Change = (fields: Fields, asked: Fields) => Fields

/** A node between a test and the real one that changes single questions or answers, as a faulty or lying one would. */
export interface RewritingNode {
  readonly url: string
  /** Questions of a method are asked as this makes them. */
  redirect(method: string, change: (asked: Fields) => Fields): void
  /** Answers to a method are told as this makes them. */
  rewrite(method: string, change: Change): void
  close(): Promise<void>
}

export const startRewritingNode = async (target: string): Promise<RewritingNode> => {
  const redirects = new Map<string, (asked: Fields) => Fields>()
  const rewrites = new Map<string, Change>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // CAST: only this dialect is spoken here.
    const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: [Fields] }
    const asked = redirects.get(method)?.(params[0]) ?? params[0]
    const result = await ask(target, { method, params: [asked] }).catch(() => null)
    // The real one ended while somebody still asked.
    if (result === null) {
      response.destroy()
      return
    }
    const told = rewrites.get(method)?.(result, asked) ?? result
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ result: told }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    redirect: (method, change) => redirects.set(method, change),
    rewrite: (method, change) => rewrites.set(method, change),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const ask = async (target: string, body: object): Promise<Fields> => {
  const answer = await fetch(target, { method: 'POST', body: JSON.stringify(body) })
  const { result } = (await answer.json()) as { readonly result: Fields }
  return result
}
