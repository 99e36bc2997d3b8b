import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { transportError } from './jsonRpcErrors.js'

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** Posts JSON to one URL over kept connections. Fails with a ServiceError only, never with the URL in it. */
export class HttpTransport {
  readonly #url: URL
  readonly #timeoutMs: number
  readonly #agent: HttpAgent

  constructor(deps: { readonly url: string; readonly timeoutMs: number }) {
    this.#url = new URL(deps.url)
    this.#timeoutMs = deps.timeoutMs
    const settings = { keepAlive: true, maxSockets: 32, noDelay: true }
    this.#agent = this.#url.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings)
  }

  /** `repeatable` requests are sent again when a kept connection turns out to be closed. */
  async post(body: string, repeatable: boolean): Promise<string> {
    try {
      return await this.#send(body)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      if (!repeatable) throw transportError(error, false)
      return await this.#send(body).catch((again: unknown) => {
        // Several kept connections may be closed; the caller only learns that the node could not be reached.
        throw again instanceof StaleConnection ? transportError(again, false) : again
      })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let timedOut = false
      const start = this.#url.protocol === 'https:' ? httpsRequest : httpRequest
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const request = start(this.#url, { method: 'POST', agent: this.#agent, headers })
      const timer = setTimeout(() => {
        timedOut = true
        request.destroy(new Error('time limit'))
      }, this.#timeoutMs)
      const fail = (error: unknown) => {
        clearTimeout(timer)
        const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
        const stale = request.reusedSocket && !timedOut && (code === 'ECONNRESET' || code === 'EPIPE')
        reject(stale ? new StaleConnection('connection closed') : transportError(error, timedOut))
      }
      request.on('error', fail)
      request.on('response', (response) => {
        readText(response).then((text) => {
          clearTimeout(timer)
          // Some nodes send JSON-RPC errors with status 4xx or 5xx: the body decides.
          if (response.statusCode === 200 || text.includes('"jsonrpc"')) resolve(text)
          else reject(transportError(new Error(`HTTP status ${response.statusCode}`), false))
        }, fail)
      })
      request.end(body)
    })
  }
}

class StaleConnection extends Error {}

const readText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
