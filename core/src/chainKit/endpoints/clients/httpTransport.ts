import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { transportError } from '../transportError.js'

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_CONNECTIONS = 32

export interface HttpTransportDeps {
  /** May hold a path, a query, and user and password for a node that asks for them. */
  readonly url: string
  /** From the request to the end of the answer. */
  readonly timeoutMs: number
  /** An answer that is longer is not read: 64 MiB unless told. */
  readonly maxBytes?: number | undefined
  /** Connections at once, 32 unless told. */
  readonly maxConnections?: number | undefined
  /** Headers of every request, such as a provider's API key. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Parameters of a query; a list names its parameter several times. */
export type HttpQuery = Readonly<Record<string, string | readonly string[]>>

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded' | 'text/plain'

export interface HttpRequest {
  /** Below the node's URL; none: that URL itself. */
  readonly path?: string | undefined
  readonly query?: HttpQuery | undefined
  /** Posted; without one it is a GET. */
  readonly body?: { readonly text: string; readonly type: BodyType } | undefined
  /** Sent again when a kept connection turns out to be closed; false for what must not be sent twice unseen. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly body: Buffer
  /** For how long the node asks not to be asked again, milliseconds (`Retry-After`); null where it does not say. */
  readonly retryAfterMs?: number | null
}

/** How requests reach one node: over HTTP, unless somebody else carries them. Fails with a ServiceError only, never with the URL in it. */
export interface Transport {
  /** Throws ServiceError REQUEST_TIMED_OUT after `HttpTransportDeps.timeoutMs`, or RPC_HTTP_ERROR. */
  send(request: HttpRequest): Promise<HttpAnswer>
  /** Ends what is under way; it may be used again. */
  close(): void
}

/** Makes the transport of one node: in place of `HttpTransport`, so that a chain can be run without sockets. */
export type OpenTransport = (deps: HttpTransportDeps) => Transport

/** Requests to one node over kept connections. Fails with a ServiceError only, never with the URL in it. */
export class HttpTransport implements Transport {
  readonly #base: URL
  readonly #timeoutMs: number
  readonly #maxBytes: number
  readonly #agent: HttpAgent
  readonly #headers: Readonly<Record<string, string>>
  #closings = 0

  constructor(deps: HttpTransportDeps) {
    const { url, timeoutMs, maxBytes = MAX_ANSWER_BYTES, maxConnections = MAX_CONNECTIONS } = deps
    this.#headers = deps.headers ?? {}
    this.#base = new URL(url)
    this.#timeoutMs = timeoutMs
    this.#maxBytes = maxBytes
    const settings = { keepAlive: true, maxSockets: maxConnections, noDelay: true }
    this.#agent = this.#base.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings)
  }

  /** Throws ServiceError REQUEST_TIMED_OUT, or RPC_HTTP_ERROR, whose cause is `AnswerTooLarge` for an answer that is. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const closings = this.#closings
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      const stale = error instanceof Error && error.cause instanceof StaleConnection
      if (!stale || !request.repeatable || this.#closings > closings) throw error
      return this.#sendOnce(request)
    }
  }

  /** Ends what is under way; it may be used again. */
  close(): void {
    this.#closings += 1
    this.#agent.destroy()
  }

  #sendOnce({ path, query, body, signal }: HttpRequest): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      let timedOut = false
      const start = this.#base.protocol === 'https:' ? httpsRequest : httpRequest
      const content =
        body === undefined ? {} : { 'content-type': body.type, 'content-length': Buffer.byteLength(body.text) }
      const headers = { ...this.#headers, ...content }
      const method = body === undefined ? 'GET' : 'POST'
      const request = start(this.#urlOf(path, query), { method, agent: this.#agent, headers })
      const abort = () => request.destroy(new Error('aborted'))
      const timer = setTimeout(() => {
        timedOut = true
        request.destroy(new Error('time limit'))
      }, this.#timeoutMs)
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const fail = (error: unknown) => {
        end()
        const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
        const stale = request.reusedSocket && !timedOut && (code === 'ECONNRESET' || code === 'EPIPE')
        reject(transportError(stale ? new StaleConnection('connection closed') : error, timedOut))
      }
      request.on('error', fail)
      request.on('response', (response) => {
        this.#read(response).then((answer) => {
          end()
          const retryAfterMs = retryAfter(response.headers['retry-after'])
          resolve({ status: response.statusCode ?? 0, body: answer, retryAfterMs })
        }, fail)
      })
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted === true) return abort()
      request.end(body?.text)
    })
  }

  #urlOf(path = '', query: HttpQuery = {}): URL {
    const url = new URL(this.#base)
    if (path !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`
    for (const [name, value] of Object.entries(query)) {
      url.searchParams.delete(name)
      for (const one of [value].flat()) url.searchParams.append(name, one)
    }
    return url
  }

  async #read(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response) {
      size += chunk.length
      if (size > this.#maxBytes) {
        response.destroy()
        throw new AnswerTooLarge('The answer is too large')
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

/** Seconds or a date (RFC 9110, 10.2.3) as milliseconds from now. */
const retryAfter = (header: string | undefined): number | null => {
  if (header === undefined) return null
  const at = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(at) ? null : Math.max(0, at)
}

class StaleConnection extends Error {}

/** Cause of the failure when a node's answer has more than `maxBytes`. */
export class AnswerTooLarge extends Error {}

/** Whether a request failed because its answer was too large, so that a part of it may be had. */
export const isTooLarge = (error: unknown): boolean => error instanceof Error && error.cause instanceof AnswerTooLarge
