import {
  type AnswerReader,
  type HttpRequest,
  HttpTransport,
  httpStatusError,
  transportError,
} from '@causeway/core/chain-kit'

export interface TonHttpDeps {
  readonly url: string
  readonly timeoutMs: number
}

/** A method of a node: its path, and what is posted. */
export interface Question {
  readonly path: string
  readonly body?: object
}

/** Status and JSON of an answer: nodes say by a status why they cannot answer, and toncenter in the body too. Undefined: the body is no JSON. */
interface JsonAnswer {
  readonly status: number
  readonly json: unknown
}

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 408, 429])

/**
 * Requests of JSON to one node, with a time limit and an abort. The clients of `@ton/ton` have neither, and their errors hold the URL.
 */
export abstract class TonHttp {
  readonly #http: HttpTransport

  constructor(deps: TonHttpDeps) {
    this.#http = new HttpTransport(deps)
  }

  /** Null where the node lacks what is asked for. */
  protected abstract find<T>(question: Question, read: AnswerReader<T>, signal: AbortSignal): Promise<T | null>

  /** @throws ServiceError also where the node lacks what is asked for */
  protected async ask<T>(question: Question, read: AnswerReader<T>, signal: AbortSignal): Promise<T> {
    const found = await this.find(question, read, signal)
    if (found === null) throw httpStatusError(500, null)
    return found
  }

  /** @throws ServiceError RPC_HTTP_ERROR, REQUEST_TIMED_OUT; also for a status by which a node refuses its caller */
  protected async call({ path, body }: Question, signal: AbortSignal, repeatable = true): Promise<JsonAnswer> {
    const posted: Pick<HttpRequest, 'body'> =
      body === undefined ? {} : { body: { text: JSON.stringify(body), type: 'application/json' } }
    const { status, body: answer, retryAfterMs = null } = await this.#http.send({ path, signal, repeatable, ...posted })
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

/** The failure of an answer with another status than 200, or without JSON. */
export const statusError = (status: number) =>
  status === 200 ? transportError(new Error('The answer is no JSON'), false) : httpStatusError(status, null)
