import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import {
  forbiddenAddress,
  OutgoingError,
  outgoingError,
  stopped,
  tooLarge,
  unknownHost,
  unreadable,
} from './outgoingError.js'
import { isPublicAddress } from './publicAddress.js'
import { type ResolveName, resolvePublicName, resolveSystemName } from './resolveName.js'
import { literalAddress, type TargetRules } from './targetUrl.js'

export interface OutgoingHttpDeps {
  readonly rules: TargetRules
  /** PEM of certificate authorities besides the usual ones. */
  readonly ca?: readonly string[]
  /** Default: the name servers; where private targets are allowed, the system. */
  readonly resolve?: ResolveName
  /** Maximum of connections to one host; further requests wait, within their own time limits. Default: no maximum. */
  readonly maxConnections?: number
}

export interface OutgoingPost {
  /** From `parseTarget`. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the first look at the name to the status of the answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface OutgoingAnswer {
  readonly status: number
  /** The body as far as it was read: at most 2 KiB, and only what came within two seconds. */
  readonly text: string
}

export interface OutgoingGet {
  /** From `parseTarget`. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** From the first lookup of the name to the end of the answer. */
  readonly timeoutMs: number
  /** Maximum size of the body. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** A whole answer. */
export interface OutgoingDocument {
  readonly status: number
  /** For the next request's `if-none-match`; null if the answer has none. */
  readonly etag: string | null
  readonly text: string
}

interface Message {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Reads what follows the status of an answer; calls `give` or `fail` once. */
type ReadBody = (
  response: IncomingMessage,
  give: (text: string | Promise<string>) => void,
  fail: (error: OutgoingError) => void,
) => void

const ANSWER_BYTES = 2048
const ANSWER_MS = 2_000
const IDLE_MS = 15_000
const FREE_PER_HOST = 256

/** A kept connection that the other side had closed. */
class StaleConnection extends Error {}

/**
 * HTTPS to URLs that users gave, and to servers whose answers are untrusted. Every connection goes to an address that was checked
 * for it, so that a name which changes its answer gains nothing; redirects are not followed; time and answer are limited. All such
 * requests go through here.
 */
export class OutgoingHttp {
  readonly #deps: OutgoingHttpDeps
  readonly #resolve: ResolveName
  readonly #agent: Agent
  #isClosed = false

  constructor(deps: OutgoingHttpDeps) {
    this.#deps = deps
    this.#resolve = deps.resolve ?? (deps.rules.allowPrivate ? resolveSystemName : resolvePublicName())
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: FREE_PER_HOST,
      timeout: IDLE_MS,
      noDelay: true,
      ...(deps.maxConnections === undefined ? {} : { maxSockets: deps.maxConnections }),
      ...(deps.ca === undefined
        ? {}
        : { secureContext: createSecureContext({ ca: [...rootCertificates, ...deps.ca] }) }),
    })
  }

  /**
   * Posts; the status counts, whatever happens to the body of the answer. What a kept connection lost because the other side
   * had closed it is sent once more, so that the receiver may see it twice. @throws OutgoingError
   */
  async post({ body, headers, ...message }: OutgoingPost): Promise<OutgoingAnswer> {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const readBody: ReadBody = (response, give) => give(readStart(response))
    const { status, text } = await this.#exchange(
      { ...message, method: 'POST', headers: { ...headers, ...length }, body },
      readBody,
    )
    return { status, text }
  }

  /** Gets a whole answer, uncompressed UTF-8 text of at most `maxBytes`; of a redirect its own answer. @throws OutgoingError */
  get({ maxBytes, headers, ...message }: OutgoingGet): Promise<OutgoingDocument> {
    return this.#exchange(
      { ...message, method: 'GET', headers: { ...headers, 'accept-encoding': 'identity' } },
      (response, give, fail) => readWhole(response, maxBytes, give, fail),
    )
  }

  /** Closes all connections; requests in flight fail. */
  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
  }

  #mayReach(address: string): boolean {
    return this.#deps.rules.allowPrivate || isPublicAddress(address)
  }

  async #exchange(message: Message, readBody: ReadBody): Promise<OutgoingDocument> {
    const address = literalAddress(message.url)
    if (address !== null && !this.#mayReach(address)) throw forbiddenAddress()
    const until = performance.now() + message.timeoutMs
    try {
      return await this.#send(message, until, {}, readBody)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      if (this.#isClosed) throw stopped()
      // Others may be as old: this one goes out on a connection of its own.
      return await this.#send(message, until, { connection: 'close' }, readBody)
    }
  }

  #send(
    { url, method, headers, body, signal }: Message,
    until: number,
    more: Readonly<Record<string, string>>,
    readBody: ReadBody,
  ): Promise<OutgoingDocument> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(url, {
        method,
        agent: more.connection === 'close' ? this.#lonely() : this.#agent,
        headers: { ...headers, ...more },
        lookup: this.#lookup,
      })
      // The first of these counts; what the connection does afterwards changes nothing.
      let over = false
      const end = (): boolean => {
        const first = !over
        over = true
        limits.clear()
        return first
      }
      const fail = (error: Error) => {
        if (!end()) return
        reject(error)
        request.destroy()
      }
      const give = (status: number, etag: string | null, text: string | Promise<string>) => {
        if (end()) void Promise.resolve(text).then((read) => resolve({ status, etag, text: read }))
      }
      const limits = setLimits(until, signal, fail)
      request.on('error', (error) => fail(isStale(request, error) ? new StaleConnection() : outgoingError(error)))
      request.once('close', () => fail(outgoingError(null)))
      request.once('response', (response) => {
        const { statusCode = 0, headers: answered } = response
        readBody(response, (text) => give(statusCode, answered.etag ?? null, text), fail)
      })
      request.once('upgrade', ({ statusCode = 0 }, socket) => {
        socket.destroy()
        give(statusCode, null, '')
      })
      request.end(body)
    })
  }

  /** An agent for one request with the same authorities. */
  #lonely(): Agent {
    return new Agent({ ...this.#agent.options, keepAlive: false })
  }

  /** Gives Node the addresses to connect to: what is checked here is what is used. */
  readonly #lookup: LookupFunction = (hostname, options, give) => {
    void this.#checkedAddresses(hostname).then(
      (addresses) => {
        const answers = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = answers
        if (options.all === true || first === undefined) give(null, answers)
        else give(null, first.address, first.family)
      },
      (error: Error) => give(error, '', 0),
    )
  }

  async #checkedAddresses(hostname: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(hostname)
    if (addresses.length === 0) throw unknownHost()
    // One private address among public ones is no oversight: nothing of the name is trusted.
    if (!addresses.every((address) => this.#mayReach(address))) throw forbiddenAddress()
    return addresses
  }
}

const isStale = (request: ClientRequest, error: Error): boolean =>
  request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(String(Reflect.get(error, 'code')))

/** Fails a request at a time or when the signal aborts, whatever its connection does. */
const setLimits = (until: number, signal: AbortSignal | undefined, fail: (error: OutgoingError) => void) => {
  const timer = setTimeout(
    () => fail(new OutgoingError('time limit', 'No answer within the time limit')),
    Math.max(0, until - performance.now()),
  )
  const onAbort = () => fail(stopped())
  if (signal?.aborted === true) setImmediate(onAbort)
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    clear: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** A whole body, or a failure as soon as it is larger than it may be. */
const readWhole = (
  response: IncomingMessage,
  maxBytes: number,
  give: (text: string) => void,
  fail: (error: OutgoingError) => void,
): void => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = response.headers
  response.on('error', (error) => fail(outgoingError(error)))
  if (encoding.toLowerCase() !== 'identity') fail(unreadable('compressed'))
  if (Number(length) > maxBytes) fail(tooLarge(maxBytes))
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) fail(tooLarge(maxBytes))
    else chunks.push(chunk)
  })
  response.once('end', () => {
    try {
      give(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
    } catch {
      fail(unreadable('not UTF-8 text'))
    }
  })
}

/** The start of a body. Reading on is not worth the connection, so that a longer or slower one loses it. Never rejects. */
const readStart = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'))
    }
    const cut = () => {
      response.destroy()
      finish()
    }
    const timer = setTimeout(cut, ANSWER_MS)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > ANSWER_BYTES) cut()
    })
    response.once('end', finish)
    response.once('close', finish)
    response.on('error', finish)
  })
