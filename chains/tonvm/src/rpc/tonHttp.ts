import { type HttpRequest, HttpTransport, httpStatusError, transportError } from '@causeway/core/chain-kit'

export interface TonHttpDeps {
  readonly url: string
  readonly timeoutMs: number
}

/** Status and JSON of an answer: nodes say by a status why they cannot answer, and toncenter in the body too. */
export interface JsonAnswer {
  readonly status: number
  /** Undefined where the body is no JSON. */
  readonly json: unknown
}

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 408, 429])

/**
 * Requests of JSON to one node, with a time limit and an abort. The clients of `@ton/ton` have neither, and their errors hold the URL.
 */
export class TonHttp {
  readonly #http: HttpTransport

  constructor(deps: TonHttpDeps) {
    this.#http = new HttpTransport(deps)
  }

  /** @throws ServiceError RPC_HTTP_ERROR, REQUEST_TIMED_OUT; also for a status by which a node refuses its caller */
  async call(request: Omit<HttpRequest, 'body'> & { readonly body?: unknown }): Promise<JsonAnswer> {
    const { body, ...rest } = request
    const posted = body === undefined ? {} : { body: { text: JSON.stringify(body), type: 'application/json' as const } }
    const { status, body: answer, retryAfterMs = null } = await this.#http.send({ ...rest, ...posted })
    if (REFUSALS.has(status)) throw httpStatusError(status, retryAfterMs)
    try {
      return { status, json: JSON.parse(answer.toString('utf8')) }
    } catch {
      return { status, json: undefined }
    }
  }

  close(): void {
    this.#http.close()
  }
}

/** The failure of an answer with another status than 200. */
export const statusError = ({ status }: Pick<JsonAnswer, 'status'>) =>
  status === 200 ? transportError(new Error('The answer is no JSON'), false) : httpStatusError(status, null)
