import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy before a server of an exchange that notes when a payment is posted. */
export interface SubmitProxy {
  readonly http: string
  /** Resolves with the time of the next payment, Unix milliseconds. */
  next(): Promise<number>
  close(): Promise<void>
}

/** @param submit path of the requests that carry payments */
export const startSubmitProxy = async (target: string, submit: string): Promise<SubmitProxy> => {
  let heard: (at: number) => void = () => undefined
  const server = createServer((request, response) => {
    const forward = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (request.url?.startsWith(submit)) heard(Date.now())
      const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' }
      const posted = request.method === 'POST' ? { method: 'POST', body: Buffer.concat(chunks), headers } : {}
      const found = await fetch(`${target}${request.url}`, posted)
      response.writeHead(found.status, { 'content-type': 'application/json' }).end(await found.text())
    }
    forward().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // CAST: the server listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    http: `http://127.0.0.1:${port}`,
    next: () =>
      new Promise((resolve) => {
        heard = resolve
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
