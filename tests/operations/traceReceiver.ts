import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly links: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
  /** Attributes of the process that sent it. */
  readonly process: Readonly<Record<string, unknown>>
  readonly milliseconds: number
}

/** A collector: takes OTLP over HTTP in its JSON form. */
export interface TraceReceiver {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Everything received, as text. */
  text(): string
  /** Values of this header, one for each export. */
  header(name: string): readonly (string | undefined)[]
  /** Answers 500 from now on, or as usual again. */
  fail(failing: boolean): void
  close(): Promise<void>
}

const attributesOf = (value: unknown): Record<string, unknown> =>
  Object.fromEntries(
    listAt(value, 'attributes').map((item) => [textAt(item, 'key'), Object.values(Object(valueAt(item, 'value')))[0]]),
  )

const spansOf = (body: unknown): ReceivedSpan[] =>
  listAt(body, 'resourceSpans').flatMap((resource) =>
    listAt(resource, 'scopeSpans')
      .flatMap((scope) => listAt(scope, 'spans'))
      .map((span) => ({
        name: textAt(span, 'name'),
        traceId: textAt(span, 'traceId'),
        spanId: textAt(span, 'spanId'),
        parentSpanId: valueAt(span, 'parentSpanId') === undefined ? null : textAt(span, 'parentSpanId'),
        links: listAt(span, 'links').map((link) => textAt(link, 'traceId')),
        attributes: attributesOf(span),
        process: attributesOf(valueAt(resource, 'resource')),
        milliseconds: Number(BigInt(textAt(span, 'endTimeUnixNano')) - BigInt(textAt(span, 'startTimeUnixNano'))) / 1e6,
      })),
  )

export const startTraceReceiver = async (): Promise<TraceReceiver> => {
  const spans: ReceivedSpan[] = []
  const texts: string[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  let failing = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      headers.push(request.headers)
      if (!failing) {
        texts.push(text)
        spans.push(...spansOf(JSON.parse(text)))
      }
      response.writeHead(failing ? 500 : 200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans,
    text: () => texts.join('\n'),
    header: (name) => headers.map((all) => all[name]?.toString()),
    fail: (value) => {
      failing = value
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
