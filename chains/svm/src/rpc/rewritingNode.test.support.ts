import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Rewrite = (result: unknown, params: readonly unknown[]) => unknown

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A node between a test and the real one that changes single answers, as a faulty or lying one would. */
export interface RewritingNode {
  readonly url: string
  /** Calls seen by method. */
  readonly calls: ReadonlyMap<string, number>
  rewrite(method: string, rewrite: Rewrite): void
  clear(): void
  close(): Promise<void>
}

export const startRewritingNode = async (target: string): Promise<RewritingNode> => {
  const rewrites = new Map<string, Rewrite>()
  const calls = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const asked = JSON.parse(body) as Call | readonly Call[]
    const byId = new Map([asked].flat().map((call: Call) => [call.id, call]))
    for (const { method } of byId.values()) calls.set(method, (calls.get(method) ?? 0) + 1)
    const answers = await ask(target, body)
    if (answers === null) return response.writeHead(502).end()
    const changed = [answers].flat().map((item) => {
      const { id, result, ...rest } = item as { readonly id: number; readonly result?: unknown }
      const call = byId.get(id)
      const rewrite = rewrites.get(call?.method ?? '')
      return rewrite === undefined || result === undefined
        ? item
        : { ...rest, id, result: rewrite(result, call?.params ?? []) }
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(answers) ? changed : changed[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    rewrite: (method, rewrite) => rewrites.set(method, rewrite),
    clear: () => rewrites.clear(),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const ask = async (target: string, body: string): Promise<unknown> => {
  try {
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return await answer.json()
  } catch {
    return null
  }
}
