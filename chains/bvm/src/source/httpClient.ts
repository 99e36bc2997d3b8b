import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { transportError } from '@causeway/core'

export interface HttpAnswer {
  readonly status: number
  readonly body: Buffer
}

export interface HttpClientDeps {
  /** May hold a path, and user and password for a node that asks for them. */
  readonly url: string
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** Requests to one node over kept connections. Fails with a ServiceError only, never with the URL in it. */
export class HttpClient {
  readonly #deps: HttpClientDeps
  readonly #base: URL
  readonly #secure: boolean
  readonly #agent: HttpAgent

  constructor(deps: HttpClientDeps) {
    this.#deps = deps
    this.#base = new URL(deps.url)
    this.#secure = this.#base.protocol === 'https:'
    const settings = { keepAlive: true, maxSockets: 16, noDelay: true }
    this.#agent = this.#secure ? new HttpsAgent(settings) : new HttpAgent(settings)
  }

  /** Path below the node's URL; reads are sent again when a kept connection turns out to be closed. */
  get(path: string): Promise<HttpAnswer> {
    return this.#repeated('GET', path, null, 'text/plain')
  }

  /** `repeatable`: false for what must not be sent twice unseen. */
  post(
    path: string,
    body: string,
    options: { readonly json: boolean; readonly repeatable: boolean },
  ): Promise<HttpAnswer> {
    const type = options.json ? 'application/json' : 'text/plain'
    return options.repeatable ? this.#repeated('POST', path, body, type) : this.#send('POST', path, body, type)
  }

  close(): void {
    this.#agent.destroy()
  }

  async #repeated(method: 'GET' | 'POST', path: string, body: string | null, type: string): Promise<HttpAnswer> {
    try {
      return await this.#send(method, path, body, type)
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof StaleConnection)) throw error
      return this.#send(method, path, body, type)
    }
  }

  #send(method: 'GET' | 'POST', path: string, body: string | null, type: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      let timedOut = false
      const start = this.#secure ? httpsRequest : httpRequest
      const size = body === null ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
      const request = start(this.#urlOf(path), { method, agent: this.#agent, headers: size })
      const timer = setTimeout(() => {
        timedOut = true
        request.destroy(new Error('time limit'))
      }, this.#deps.timeoutMs)
      const fail = (error: unknown) => {
        clearTimeout(timer)
        const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
        const stale = request.reusedSocket && !timedOut && (code === 'ECONNRESET' || code === 'EPIPE')
        reject(transportError(stale ? new StaleConnection('connection closed') : error, timedOut))
      }
      request.on('error', fail)
      request.on('response', (response) => {
        this.#read(response).then((answer) => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, body: answer })
        }, fail)
      })
      request.end(body ?? undefined)
    })
  }

  #urlOf(path: string): URL {
    const url = new URL(this.#base)
    if (path !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`
    return url
  }

  async #read(response: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response) {
      size += chunk.length
      if (size > this.#deps.maxBytes) {
        response.destroy()
        throw new AnswerTooLarge('The answer is too large')
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

class StaleConnection extends Error {}

/** Cause of the failure when a node's answer has more than `maxBytes`. */
export class AnswerTooLarge extends Error {}
