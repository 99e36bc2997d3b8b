import type { Logger } from 'pino'
import WebSocket from 'ws'
import { strangeAnswer } from './checkedAnswer.js'

const HEARTBEAT_MS = 10_000
const MAX_RECONNECT_MS = 15_000
/** Longest message that is read: heads and hints are short. A connection that brings a longer one is closed. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024

/** The call that begins one subscription. */
export interface RpcTopic {
  /** For example `eth_subscribe`, `slotSubscribe`. */
  readonly method: string
  readonly params: readonly unknown[]
}

/** How one connection is spoken over. */
export interface SocketDialect {
  /** The message that begins a subscription; it becomes JSON. `topic` is the index in the topics. */
  write(call: RpcTopic, topic: number): object
  /** What a message says: that the node accepted a topic, or what it tells of one; null for anything else. */
  read(message: object): { readonly accepted: number } | { readonly topic: number; readonly result: unknown } | null
}

export interface RpcSubscriptionDeps {
  readonly url: string
  /** The subscriptions to hold. */
  readonly topics: readonly RpcTopic[]
  /** `topic` is the index in `topics`. What it throws is the message's fault. */
  readonly onMessage: (topic: number, result: unknown) => void
  /** A message that could not be read was dropped. */
  readonly onStrange?: ((error: unknown) => void) | undefined
  readonly onState: (alive: boolean) => void
  /** Made for each connection; JSON-RPC 2.0 unless told. */
  readonly dialect?: (() => SocketDialect) | undefined
  readonly logger: Logger
}

/** A websocket of a node used for subscriptions only (requests on the same socket delay them). Reconnects until closed. */
export class RpcSubscription {
  readonly #deps: RpcSubscriptionDeps
  #socket: WebSocket | null = null
  #timer: NodeJS.Timeout | null = null
  #heartbeat: NodeJS.Timeout | null = null
  #failures = 0
  #closed = false

  constructor(deps: RpcSubscriptionDeps) {
    this.#deps = deps
  }

  open(): void {
    if (this.#closed) return
    const socket = new WebSocket(this.#deps.url, { handshakeTimeout: 5000, maxPayload: MAX_MESSAGE_BYTES })
    const dialect = (this.#deps.dialect ?? jsonRpcSocket)()
    let answered = true
    this.#socket = socket
    socket.on('open', () => {
      this.#deps.topics.forEach((call, topic) => {
        socket.send(JSON.stringify(dialect.write(call, topic)))
      })
      this.#heartbeat = setInterval(() => {
        if (!answered) return socket.terminate()
        answered = false
        socket.ping()
      }, HEARTBEAT_MS)
    })
    socket.on('pong', () => {
      answered = true
      // A node that accepts and closes is asked less and less often.
      this.#failures = 0
    })
    socket.on('message', (data) => this.#receive(String(data), dialect))
    socket.on('error', () => this.#deps.logger.debug('The websocket of a node failed'))
    socket.on('close', () => this.#reopen())
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    this.#socket?.terminate()
  }

  /** No message of a node may throw out of here: it would end the process (faults.md F160). */
  #receive(text: string, dialect: SocketDialect): void {
    try {
      this.#take(parse(text), dialect)
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'A message of a node was dropped')
      this.#deps.onStrange?.(error)
    }
  }

  #take(message: object, dialect: SocketDialect): void {
    const said = dialect.read(message)
    if (said === null) return
    if ('topic' in said) {
      this.#deps.onMessage(said.topic, said.result)
      return
    }
    if (said.accepted === 0) this.#deps.onState(true)
  }

  #reopen(): void {
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
    this.#deps.onState(false)
    if (this.#closed) return
    const wait = Math.min(MAX_RECONNECT_MS, 250 * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    this.#timer = setTimeout(() => this.open(), wait)
  }
}

/**
 * Ids of subscriptions are texts on some chains and numbers on others; both are kept as text, one for each topic that was asked for.
 */
const jsonRpcSocket = (): SocketDialect => {
  const ids = new Map<number, string | null>()
  return {
    write: ({ method, params }, topic) => {
      ids.set(topic, null)
      return { jsonrpc: '2.0', id: topic + 1, method, params }
    },
    read: (message) => {
      const id: unknown = Reflect.get(message, 'id')
      if (typeof id === 'number') {
        const subscription: unknown = Reflect.get(message, 'result')
        if (!ids.has(id - 1) || (typeof subscription !== 'string' && typeof subscription !== 'number')) return null
        ids.set(id - 1, String(subscription))
        return { accepted: id - 1 }
      }
      const params: unknown = Reflect.get(message, 'params')
      if (typeof params !== 'object' || params === null) return null
      const subscription: unknown = Reflect.get(params, 'subscription')
      if (typeof subscription !== 'string' && typeof subscription !== 'number') return null
      const found = [...ids].find(([, known]) => known === String(subscription))
      return found === undefined ? null : { topic: found[0], result: Reflect.get(params, 'result') }
    },
  }
}

const parse = (text: string): object => {
  const message = parsedJson(text)
  if (typeof message !== 'object' || message === null) throw strangeAnswer('a message that is no object')
  return message
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw strangeAnswer('a message that is no JSON')
  }
}
