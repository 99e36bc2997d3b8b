import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** For tests: one request with exactly the given bytes, headers and target, on a connection of its own. */
export const sendRaw = (
  url: string,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: Uint8Array | string } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const target = new URL(url)
    const path = options.path ?? `${target.pathname}${target.search}`
    const { hostname, port } = target
    const method = options.method ?? 'POST'
    const sent = httpRequest(
      { hostname, port, path, method, headers: options.headers ?? {}, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
