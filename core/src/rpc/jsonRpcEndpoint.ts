import { ServiceError } from '../errors/serviceError.js'
import { HttpTransport } from './httpTransport.js'
import { type JsonRpcError, RpcResponseError, transportError } from './jsonRpcErrors.js'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: JsonRpcError }

const MAX_BATCH = 100

/** What the client must know of a chain's RPC beyond JSON-RPC itself. */
export interface JsonRpcProtocol {
  /** Asked before a node's first answer is used: is it a node of this very chain? */
  readonly identify: { readonly method: string; readonly params: readonly unknown[]; matches(result: unknown): boolean }
  /** Methods never sent twice unseen, because a lost answer may hide success: broadcasts. */
  readonly unrepeatable: ReadonlySet<string>
}

export interface JsonRpcEndpointDeps {
  readonly url: string
  /** How operators know it; never the URL. */
  readonly name: string
  /** Endpoints of one provider count once towards agreement. */
  readonly provider: string
  readonly protocol: JsonRpcProtocol
  readonly timeoutMs: number
  readonly onCall?: ((method: string) => void) | undefined
}

/** One node. Several calls go out in one HTTP request. Its identity is checked before its first answer is used. */
export class JsonRpcEndpoint {
  readonly name: string
  readonly provider: string
  readonly #deps: JsonRpcEndpointDeps
  readonly #http: HttpTransport
  #checked: Promise<void> | null = null
  #nextId = 1
  #failures = 0
  #restingUntil = 0
  #failure: string | null = null
  #distrust: string | null = null

  constructor(deps: JsonRpcEndpointDeps) {
    this.#deps = deps
    this.name = deps.name
    this.provider = deps.provider
    this.#http = new HttpTransport({ url: deps.url, timeoutMs: deps.timeoutMs })
  }

  /** False while the endpoint rests after failures. Real time, not business time: it is about a network. */
  get rested(): boolean {
    return Date.now() >= this.#restingUntil
  }

  /** Why the last request got no answer; null once one did. */
  get failure(): string | null {
    return this.#failure
  }

  /** Why nothing it says is believed, else null. */
  get distrust(): string | null {
    return this.#distrust
  }

  /** Judged by whoever compares nodes; null trusts it again. */
  setDistrust(reason: string | null): void {
    this.#distrust = reason
  }

  /** Throws ServiceError when the node cannot be reached; errors of single calls are outcomes. */
  async batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    this.#checked ??= this.#checkChain()
    try {
      await this.#checked
      const outcomes = await this.#inParts(calls)
      this.#failures = 0
      this.#restingUntil = 0
      this.#failure = null
      return outcomes
    } catch (error) {
      this.rest()
      this.#failure = error instanceof Error ? error.message : 'It does not answer.'
      throw error
    }
  }

  /** Makes the endpoint the last choice for a while: 0.25 s, doubled with each failure in a row, at most 15 s. */
  rest(): void {
    this.#restingUntil = Date.now() + Math.min(15_000, 250 * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
  }

  close(): void {
    this.#http.close()
  }

  async #checkChain(): Promise<void> {
    try {
      const { method, params, matches } = this.#deps.protocol.identify
      const [outcome] = await this.#post([{ method, params }])
      if (outcome === undefined || !outcome.ok) throw transportError(new Error(`${method} failed`), false)
      if (!matches(outcome.result)) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'A node set for this chain serves another chain.')
      }
    } catch (error) {
      this.#checked = null
      throw error
    }
  }

  async #inParts(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    if (calls.length <= MAX_BATCH) return this.#post(calls)
    const outcomes: RpcOutcome[] = []
    for (let at = 0; at < calls.length; at += MAX_BATCH) {
      outcomes.push(...(await this.#post(calls.slice(at, at + MAX_BATCH))))
    }
    return outcomes
  }

  async #post(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    if (calls.length === 0) return []
    const first = this.#nextId
    this.#nextId += calls.length
    const bodies = calls.map((call, at) => ({
      jsonrpc: '2.0',
      id: first + at,
      method: call.method,
      params: call.params,
    }))
    for (const call of calls) this.#deps.onCall?.(call.method)
    // A broadcast whose answer is lost must be seen as doubtful by the lane, not repeated unseen.
    const repeatable = calls.every((call) => !this.#deps.protocol.unrepeatable.has(call.method))
    const text = await this.#http.post(JSON.stringify(bodies.length === 1 ? bodies[0] : bodies), repeatable)
    return readAnswers(text, first, calls)
  }
}

const readAnswers = (text: string, first: number, calls: readonly RpcCall[]): RpcOutcome[] => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw transportError(cause, false)
  }
  const answers = new Map<unknown, object>()
  for (const answer of Array.isArray(parsed) ? parsed : [parsed]) {
    if (typeof answer === 'object' && answer !== null) answers.set(Reflect.get(answer, 'id'), answer)
  }
  const whole = Array.isArray(parsed) ? undefined : answers.get(null)
  return calls.map((_, at) => readAnswer(answers.get(first + at) ?? whole))
}

const readAnswer = (answer: object | undefined): RpcOutcome => {
  if (answer === undefined) throw transportError(new Error('An answer of the batch is missing'), false)
  const error: unknown = Reflect.get(answer, 'error')
  if (typeof error === 'object' && error !== null) {
    const data: unknown = Reflect.get(error, 'data')
    const code = Number(Reflect.get(error, 'code'))
    const message = String(Reflect.get(error, 'message') ?? '')
    return { ok: false, error: data === undefined ? { code, message } : { code, message, data } }
  }
  if (!('result' in answer)) throw transportError(new Error('Not a JSON-RPC answer'), false)
  return { ok: true, result: answer.result }
}

/** Result of an outcome; throws RpcResponseError (a ServiceError) when the node answered with an error. */
export const resultOf = <T>(outcome: RpcOutcome | undefined, method: string): T => {
  if (outcome === undefined) throw transportError(new Error('No answer'), false)
  if (!outcome.ok) throw new RpcResponseError(method, outcome.error)
  return outcome.result as T
}
