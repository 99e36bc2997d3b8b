import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

interface RpcMessage {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

export interface FaultError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What to do with calls of one method. */
export interface FaultRule {
  /** Which calls; without it, every call of the method. */
  readonly when?: (params: readonly unknown[]) => boolean
  /** How many calls; without it, until cleared. */
  readonly times?: number
  /** Answers with this error. */
  readonly error?: FaultError
  /** With `error`: the call reaches the node all the same (accepted, but reported as failed). */
  readonly afterForward?: boolean
  /** Answers with this result: the call never reaches the node. */
  readonly result?: (params: readonly unknown[]) => unknown | Promise<unknown>
  /** Milliseconds to wait before forwarding. */
  readonly delayMs?: number
  /** Closes the connection without an answer. */
  readonly drop?: boolean
  /** With `drop`: the whole request reaches the node first. */
  readonly forwardBeforeDrop?: boolean
  /** Status code of the HTTP answer. */
  readonly httpStatus?: number
  /** Changes the result on the way back: a lying node. May take its time. */
  readonly rewrite?: (result: unknown, params: readonly unknown[]) => unknown | Promise<unknown>
}

export interface FaultProxy {
  readonly url: string
  /** Calls seen, by method; `eth_call` with the function it calls, as `eth_call 0x70a08231`. */
  readonly calls: Map<string, number>
  /** HTTP requests seen; with a method, those that call it. */
  readonly requests: (method?: string) => number
  add(method: string, rule: FaultRule): void
  /** The next `times` calls of the method fail; the error may come after the node accepted the call. */
  failNext(
    method: string,
    error: FaultError,
    options?: { readonly times?: number; readonly afterForward?: boolean },
  ): void
  clear(): void
  close(): Promise<void>
}

/** An HTTP proxy before a JSON-RPC node that misbehaves as told. */
export const startFaultProxy = async (targetUrl: string): Promise<FaultProxy> => {
  const rules: { method: string; rule: FaultRule; left: number }[] = []
  const calls = new Map<string, number>()
  const requests: ReadonlySet<string>[] = []

  const take = (message: RpcMessage): FaultRule | null => {
    const found = rules.find(
      ({ method, rule, left }) => method === message.method && left > 0 && (rule.when?.(message.params ?? []) ?? true),
    )
    if (found === undefined) return null
    found.left -= 1
    return found.rule
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const parsed = JSON.parse(await textOf(incoming)) as RpcMessage | RpcMessage[]
    const messages = Array.isArray(parsed) ? parsed : [parsed]
    requests.push(new Set(messages.map(({ method }) => method)))
    const taken = messages.map((message) => {
      const name = nameOf(message)
      calls.set(name, (calls.get(name) ?? 0) + 1)
      return take(message)
    })
    const wait = Math.max(0, ...taken.map((rule) => rule?.delayMs ?? 0))
    if (wait > 0) await delay(wait)
    const dropped = taken.find((rule) => rule?.drop)
    if (dropped) {
      if (dropped.forwardBeforeDrop) await forward(targetUrl, JSON.stringify(parsed))
      incoming.socket.destroy()
      return
    }
    const status = taken.find((rule) => rule?.httpStatus !== undefined)?.httpStatus
    if (status !== undefined) {
      outgoing.writeHead(status).end('fault')
      return
    }
    const answers = await answer(messages, taken)
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]))
  }

  const answer = async (messages: readonly RpcMessage[], taken: readonly (FaultRule | null)[]) => {
    const passed = messages.filter((_, at) => {
      const rule = taken[at]
      return rule?.result === undefined && (rule?.error === undefined || rule.afterForward === true)
    })
    const text = passed.length === 0 ? '[]' : await forward(targetUrl, JSON.stringify(passed))
    const results = new Map((JSON.parse(text) as { id: unknown; result?: unknown }[]).map((entry) => [entry.id, entry]))
    const rewritten = messages.map(async (message, at) => {
      const rule = taken[at]
      if (rule?.error !== undefined) return { jsonrpc: '2.0', id: message.id, error: rule.error }
      if (rule?.result !== undefined) {
        return { jsonrpc: '2.0', id: message.id, result: await rule.result(message.params ?? []) }
      }
      const entry = results.get(message.id)
      if (rule?.rewrite === undefined || entry === undefined) return entry
      return { ...entry, result: await rule.rewrite(entry.result, message.params ?? []) }
    })
    return Promise.all(rewritten)
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    requests: (method) => requests.filter((methods) => method === undefined || methods.has(method)).length,
    add: (method, rule) => {
      rules.push({ method, rule, left: rule.times ?? Number.POSITIVE_INFINITY })
    },
    failNext: (method, error, { times = 1, afterForward = false } = {}) => {
      rules.push({ method, rule: { error, afterForward }, left: times })
    },
    clear: () => {
      rules.length = 0
    },
    close: () => closeServer(server),
  }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const textOf = async (stream: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const forward = (url: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      textOf(response).then(resolve, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const nameOf = ({ method, params }: RpcMessage): string => {
  if (method !== 'eth_call') return method
  const data: unknown = Reflect.get(Object(params?.[0]), 'data')
  return `${method} ${typeof data === 'string' ? data.slice(0, 10) : ''}`
}
