import { httpStatusError, transportError } from '../transportError.js'
import type { AnswerReader } from './checkedAnswer.js'
import { type HttpAnswer, type HttpQuery, HttpTransport, type HttpTransportDeps } from './httpTransport.js'

export interface RestClientDeps extends HttpTransportDeps {
  /** Reads JSON; for nodes that write amounts as numbers with a point. `JSON.parse` unless told. Throws SyntaxError. */
  readonly parse?: ((text: string) => unknown) | undefined
}

export interface RestOptions {
  readonly query?: HttpQuery
  readonly signal?: AbortSignal | undefined
}

export interface PostOptions extends RestOptions {
  /** False for what must not be sent twice unseen, because a lost answer may hide success: broadcasts. */
  readonly repeatable: boolean
}

/** An answer whose status means something beside its body. */
export interface RestAnswer {
  readonly status: number
  readonly text: string
}

/**
 * A node's REST API over HTTP, usable alone or as the client of an `EndpointPool`. Paths begin with `/` and are below the node's URL.
 * Throws ServiceError (REQUEST_TIMED_OUT, RPC_HTTP_ERROR) without the URL; any status but 200 and 404 is one.
 */
export class RestClient {
  readonly #http: HttpTransport
  readonly #parse: (text: string) => unknown

  constructor(deps: RestClientDeps) {
    this.#http = new HttpTransport(deps)
    this.#parse = deps.parse ?? JSON.parse
  }

  /** JSON as `read` makes it; null for status 404: the node knows of no such thing. */
  async get<T>(path: string, read: AnswerReader<T>, options?: RestOptions): Promise<T | null> {
    const text = await this.getText(path, options)
    return text === null ? null : read(this.#parsed(text))
  }

  /** The body as it is; null for status 404. */
  async getText(path: string, { query, signal }: RestOptions = {}): Promise<string | null> {
    return foundText(await this.#http.send({ path, query, signal, repeatable: true }))
  }

  /** Sends JSON and reads JSON; null for status 404. */
  async post<T>(path: string, body: unknown, read: AnswerReader<T>, options: PostOptions): Promise<T | null> {
    const json = { text: JSON.stringify(body), type: 'application/json' } as const
    const text = foundText(await this.#http.send({ path, body: json, ...options }))
    return text === null ? null : read(this.#parsed(text))
  }

  /** The answer whatever its status says, for nodes that tell by it why they refuse. */
  async postText(path: string, text: string, options: PostOptions): Promise<{ status: number; text: string }> {
    const { status, body } = await this.#http.send({ path, body: { text, type: 'text/plain' }, ...options })
    return { status, text: body.toString('utf8') }
  }

  /** Status and body of status 200 and of those named, for nodes that tell by the body why they have no answer. */
  async getAnswer(path: string, statuses: readonly number[], options: RestOptions = {}): Promise<RestAnswer> {
    const { query, signal } = options
    return toldBy(await this.#http.send({ path, query, signal, repeatable: true }), statuses)
  }

  /** Sends the fields of a form. Returns the status and body as `getAnswer` does. */
  async postForm(
    path: string,
    fields: Readonly<Record<string, string>>,
    statuses: readonly number[],
    options: PostOptions,
  ): Promise<RestAnswer> {
    const body = { text: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' } as const
    return toldBy(await this.#http.send({ path, body, ...options }), statuses)
  }

  close(): void {
    this.#http.close()
  }

  #parsed(text: string): unknown {
    try {
      return this.#parse(text)
    } catch (cause) {
      throw transportError(cause, false)
    }
  }
}

const toldBy = ({ status, body, retryAfterMs = null }: HttpAnswer, statuses: readonly number[]): RestAnswer => {
  if (status === 200 || statuses.includes(status)) return { status, text: body.toString('utf8') }
  throw httpStatusError(status, retryAfterMs)
}

const foundText = ({ status, body, retryAfterMs = null }: HttpAnswer): string | null => {
  if (status === 200) return body.toString('utf8')
  if (status === 404) return null
  throw httpStatusError(status, retryAfterMs)
}
