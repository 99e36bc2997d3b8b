import { setImmediate } from 'node:timers/promises'
import { transportError } from '../transportError.js'
import type { AnswerReader } from './checkedAnswer.js'
import {
  HttpTransport,
  type HttpTransportDeps,
  isTooLarge,
  type OpenTransport,
  type Transport,
} from './httpTransport.js'
import { RpcResponseError } from './jsonRpcErrors.js'
import type { RpcCall, RpcOutcome } from './rpcCall.js'
import { askSideBySide, type RpcDialect } from './rpcDialect.js'

export type { RpcCall, RpcOutcome } from './rpcCall.js'

const MAX_BATCH = 100
/** Characters of an answer that takes milliseconds to read (faults.md F132). */
const LONG_ANSWER = 500_000

export interface JsonRpcNodeDeps extends HttpTransportDeps {
  /** Methods never sent twice unseen, because a lost answer may hide success: broadcasts. */
  readonly unrepeatable?: ReadonlySet<string> | undefined
  /** Called once for each JSON-RPC call that goes out, batched or not. */
  readonly onCall?: ((method: string) => void) | undefined
  /** Reads JSON; for nodes that write amounts as numbers with a point. `JSON.parse` unless told. Throws SyntaxError. */
  readonly parse?: ((text: string) => unknown) | undefined
  /** Sends one call as a batch too, for nodes that answer a single one's error with another HTTP status. */
  readonly alwaysBatched?: boolean | undefined
  /** How the node is spoken to where that is not JSON-RPC 2.0: each call is a request then. */
  readonly dialect?: RpcDialect | undefined
  /** How the node is reached: over HTTP unless told. */
  readonly transport?: OpenTransport | undefined
}

/**
 * One node's JSON-RPC, usable alone or as the client of an `EndpointPool`. Several calls go out in one HTTP request, in a dialect side by
 * side.
 */
export class JsonRpcNode {
  readonly #deps: JsonRpcNodeDeps
  readonly #transport: Transport
  readonly #parse: (text: string) => unknown
  #nextId = 1

  constructor(deps: JsonRpcNodeDeps) {
    this.#deps = deps
    this.#transport = deps.transport?.(deps) ?? new HttpTransport(deps)
    this.#parse = deps.parse ?? JSON.parse
  }

  /**
   * Outcomes in the order of the calls; errors of single calls are outcomes. Throws ServiceError (REQUEST_TIMED_OUT,
   * RPC_HTTP_ERROR) when the node cannot be reached. Answers that are too large together are asked for in halves.
   */
  async batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcOutcome[]> {
    const { dialect } = this.#deps
    if (dialect !== undefined) return askSideBySide(calls, (call, ended) => this.#ask(dialect, call, ended), signal)
    if (calls.length <= MAX_BATCH) return this.#postOrHalve(calls, signal)
    const outcomes: RpcOutcome[] = []
    for (let at = 0; at < calls.length; at += MAX_BATCH) {
      outcomes.push(...(await this.#postOrHalve(calls.slice(at, at + MAX_BATCH), signal)))
    }
    return outcomes
  }

  /** The result of one call as `read` makes it. Throws RpcResponseError when the node answers with an error. */
  async call<T>({ method, params }: RpcCall, read: AnswerReader<T>, signal?: AbortSignal): Promise<T> {
    const [outcome] = await this.batch([{ method, params }], signal)
    return read(resultOf(outcome, method))
  }

  close(): void {
    this.#transport.close()
  }

  /** One call in a dialect. */
  async #ask(dialect: RpcDialect, call: RpcCall, signal: AbortSignal): Promise<RpcOutcome> {
    this.#deps.onCall?.(call.method)
    const text = await this.#send(JSON.stringify(dialect.write(call)), this.#isRepeatable([call]), signal)
    return dialect.read(await this.#parsedInTurn(text))
  }

  async #postOrHalve(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<readonly RpcOutcome[]> {
    try {
      return await this.#post(calls, signal)
    } catch (error) {
      if (!isTooLarge(error) || calls.length < 2 || !this.#isRepeatable(calls)) throw error
      const middle = Math.ceil(calls.length / 2)
      const first = await this.#postOrHalve(calls.slice(0, middle), signal)
      return [...first, ...(await this.#postOrHalve(calls.slice(middle), signal))]
    }
  }

  async #post(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<readonly RpcOutcome[]> {
    if (calls.length === 0) return []
    const first = this.#nextId
    this.#nextId += calls.length
    const bodies = calls.map(({ method, params }, at) => ({ jsonrpc: '2.0', id: first + at, method, params }))
    for (const call of calls) this.#deps.onCall?.(call.method)
    const single = bodies.length === 1 && this.#deps.alwaysBatched !== true
    const text = await this.#send(JSON.stringify(single ? bodies[0] : bodies), this.#isRepeatable(calls), signal)
    return readAnswers(await this.#parsedInTurn(text), first, calls)
  }

  /** Others get their turn before and after a long answer: reading it takes a while, and so does what follows. */
  async #parsedInTurn(text: string): Promise<unknown> {
    if (text.length < LONG_ANSWER) return this.#parsed(text)
    await setImmediate()
    const parsed = this.#parsed(text)
    await setImmediate()
    return parsed
  }

  async #send(text: string, repeatable: boolean, signal: AbortSignal | undefined): Promise<string> {
    const { status, body } = await this.#transport.send({
      body: { text, type: 'application/json' },
      repeatable,
      signal,
    })
    const answer = body.toString('utf8')
    // Some nodes send JSON-RPC errors with status 4xx or 5xx: the body decides.
    if (status === 200 || (this.#deps.dialect === undefined && answer.includes('"jsonrpc"'))) return answer
    throw transportError(new Error(`HTTP status ${status}`), false)
  }

  /** A broadcast whose answer is lost must be seen as doubtful by the lane, not repeated unseen. */
  #isRepeatable(calls: readonly RpcCall[]): boolean {
    return calls.every(({ method }) => this.#deps.unrepeatable?.has(method) !== true)
  }

  #parsed(text: string): unknown {
    try {
      return this.#parse(text)
    } catch (cause) {
      throw transportError(cause, false)
    }
  }
}

const readAnswers = (parsed: unknown, first: number, calls: readonly RpcCall[]): RpcOutcome[] => {
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
