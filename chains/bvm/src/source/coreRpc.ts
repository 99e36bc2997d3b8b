import { type JsonRpcError, type RpcCall, RpcResponseError, transportError } from '@causeway/core'
import { AnswerTooLarge, HttpClient, type HttpClientDeps } from './httpClient.js'
import { field, listOf, readJson } from './readAnswer.js'

export type CoreOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: JsonRpcError }

const MAX_BATCH = 100

/** Errors of Bitcoin Core by what they mean here: not found, and out of range. */
export const NOT_FOUND = -5
export const OUT_OF_RANGE = -8

/** JSON-RPC of Bitcoin Core. Amounts keep their decimal text; always in batches, whose errors come with status 200. */
export class CoreRpc {
  readonly #http: HttpClient
  #nextId = 1

  constructor(deps: HttpClientDeps) {
    this.#http = new HttpClient(deps)
  }

  /** Fails as too large only for one call whose own answer is: answers to several are asked for in halves then. */
  async batch(calls: readonly RpcCall[], repeatable = true): Promise<readonly CoreOutcome[]> {
    const outcomes: CoreOutcome[] = []
    for (let at = 0; at < calls.length; at += MAX_BATCH) {
      outcomes.push(...(await this.#postOrHalve(calls.slice(at, at + MAX_BATCH), repeatable)))
    }
    return outcomes
  }

  async outcome(method: string, ...params: readonly unknown[]): Promise<CoreOutcome> {
    const [outcome] = await this.batch([{ method, params }])
    if (outcome === undefined) throw transportError(new Error('No answer'), false)
    return outcome
  }

  /** Throws ServiceError when the node answers with an error. */
  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return resultOf(await this.outcome(method, ...params), method)
  }

  close(): void {
    this.#http.close()
  }

  async #postOrHalve(calls: readonly RpcCall[], repeatable: boolean): Promise<readonly CoreOutcome[]> {
    try {
      return await this.#post(calls, repeatable)
    } catch (error) {
      const tooLarge = error instanceof Error && error.cause instanceof AnswerTooLarge
      if (!tooLarge || !repeatable || calls.length < 2) throw error
      const middle = Math.ceil(calls.length / 2)
      const first = await this.#postOrHalve(calls.slice(0, middle), repeatable)
      return [...first, ...(await this.#postOrHalve(calls.slice(middle), repeatable))]
    }
  }

  async #post(calls: readonly RpcCall[], repeatable: boolean): Promise<readonly CoreOutcome[]> {
    const first = this.#nextId
    this.#nextId += calls.length
    const bodies = calls.map(({ method, params }, at) => ({ jsonrpc: '2.0', id: first + at, method, params }))
    const { status, body } = await this.#http.post('', JSON.stringify(bodies), { json: true, repeatable })
    if (status !== 200) throw transportError(new Error(`HTTP status ${status}`), false)
    const answers = new Map(listOf(readJson(body)).map((answer) => [field(answer, 'id'), answer]))
    return calls.map((_, at) => readOutcome(answers.get(first + at)))
  }
}

export const resultOf = (outcome: CoreOutcome, method: string): unknown => {
  if (!outcome.ok) throw new RpcResponseError(method, outcome.error)
  return outcome.result
}

const readOutcome = (answer: unknown): CoreOutcome => {
  const error = field(answer, 'error')
  if (error === null || error === undefined) return { ok: true, result: field(answer, 'result') }
  return { ok: false, error: { code: Number(field(error, 'code')), message: String(field(error, 'message')) } }
}
