import { setImmediate } from 'node:timers/promises'
import { HttpStatusError, httpStatusError, transportError } from '../transportError.js'
import { inParts, partsOf, partsWithin } from './calls/callParts.js'
import { AnswerSizes, requestSize, type SizedPart, tooLargePart } from './calls/callSizes.js'
import { isOneError, readAnswers } from './calls/rpcAnswers.js'
import type { AnswerReader } from './checkedAnswer.js'
import {
  HttpTransport,
  type HttpTransportDeps,
  isTooLarge,
  type OpenTransport,
  type Transport,
} from './httpTransport.js'
import {
  isBatchRefusal,
  isEndpointTrouble,
  isRefusingStatus,
  type JsonRpcError,
  RefusedCalls,
  RpcResponseError,
} from './jsonRpcErrors.js'
import { NodeRestrictions, type RestrictionKind } from './nodeRestrictions.js'
import type { RpcCall, RpcOutcome } from './rpcCall.js'
import type { RpcDialect } from './rpcDialect.js'

export type { RpcCall, RpcOutcome } from './rpcCall.js'

const MAX_BATCH = 100
/** Sizes that are tried in turn of a batch that a node refuses. */
const SMALLER_BATCHES = [50, 20, 10, 3, 1] as const
/** Characters above which a request may be what a status 413 calls too large; below it is the answer. */
const LARGE_REQUEST = 8_000
/** Requests at once where a batch goes out in parts. */
const PARTS_AT_ONCE = 4
/** Characters of an answer that takes milliseconds to read (faults.md F132). */
const LONG_ANSWER = 500_000

/** Rules for the answers of a chain's nodes. */
export interface AnswerRules {
  /**
   * Makes of a result what it must be; throws `strangeAnswer` where it is not, which is the node's failure. Absent: results are not
   * read here.
   */
  readonly read?: ((result: unknown, call: RpcCall) => unknown) | undefined
  /**
   * Whether an error is an answer of the chain: a revert, a known answer, a bad argument. Any other error is the node's refusal, and
   * another node is asked. Absent: what does not speak of rate, quota, plan, key or method.
   */
  readonly isAnswer?: ((error: JsonRpcError, call: RpcCall) => boolean) | undefined
  /** Kinds of calls that some nodes refuse; remembered for each node. */
  readonly restrictions?: readonly RestrictionKind[] | undefined
}

export interface JsonRpcNodeDeps extends HttpTransportDeps, AnswerRules {
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

/** Answer of a node to calls, before it is judged. */
interface RawAnswer {
  readonly outcomes: readonly RpcOutcome[]
  /** Whether one error answered all calls. */
  readonly isOne: boolean
  readonly status: number
  readonly retryAfterMs: number | null
}

/**
 * One node's JSON-RPC, usable alone or as the client of an `EndpointPool`. Several calls go out in one HTTP request, in a dialect side by
 * side.
 */
export class JsonRpcNode {
  /** Restrictions of the node. */
  readonly restrictions: NodeRestrictions
  readonly #deps: JsonRpcNodeDeps
  readonly #transport: Transport
  readonly #parse: (text: string) => unknown
  readonly #answerSizes = new AnswerSizes()
  #nextId = 1

  constructor(deps: JsonRpcNodeDeps) {
    this.#deps = deps
    this.restrictions = new NodeRestrictions(deps.restrictions)
    this.#transport = deps.transport?.(deps) ?? new HttpTransport(deps)
    this.#parse = deps.parse ?? JSON.parse
  }

  /**
   * Outcomes in the order of the calls, read as `AnswerRules` say; errors that answer single calls are outcomes. Throws ServiceError
   * (REQUEST_TIMED_OUT, RPC_HTTP_ERROR) when the node cannot be reached or answers strangely, `RefusedCalls` when it refuses a call.
   * A batch that the node refuses for its number of calls, its size or that of its answer is sent in smaller ones, and the limit is
   * remembered.
   */
  async batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcOutcome[]> {
    const { dialect } = this.#deps
    if (dialect !== undefined) {
      const ask = ([call]: readonly RpcCall[], ended: AbortSignal) => this.#ask(dialect, call as RpcCall, ended)
      return inParts(partsOf(calls, 1), ask, { signal })
    }
    const parts = this.#parts(calls)
    const [only] = parts
    if (parts.length < 2) return only === undefined ? [] : this.#postOrDivide(only, signal)
    // Full batches follow each other, and so do transactions; what a node takes in small parts alone goes out side by side.
    const isSmall = parts.length > Math.ceil(calls.length / MAX_BATCH) && this.#isRepeatable(calls)
    const ask = (part: readonly RpcCall[], ended: AbortSignal) => this.#postOrDivide(part, ended)
    return inParts(parts, ask, { signal, atOnce: isSmall ? PARTS_AT_ONCE : 1 })
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
  async #ask(dialect: RpcDialect, call: RpcCall, signal: AbortSignal): Promise<readonly RpcOutcome[]> {
    this.#deps.onCall?.(call.method)
    const { text, ...said } = await this.#send(JSON.stringify(dialect.write(call)), [call], signal)
    const outcomes = [dialect.read(await this.#parsedInTurn(text))]
    return this.#judged([call], { ...said, outcomes, isOne: false })
  }

  /** Calls in the parts that the node is known to take. */
  #parts(calls: readonly RpcCall[]): readonly (readonly RpcCall[])[] {
    const { restrictions } = this
    return partsWithin(calls, {
      calls: Math.min(MAX_BATCH, restrictions.mostCalls),
      sizes: PARTS.map((part) => ({ most: restrictions.mostOf(part), of: (call) => this.#sizeOf(part, call) })),
    })
  }

  #sizeOf(part: SizedPart, call: RpcCall): number {
    return part === 'request' ? requestSize(call) : this.#answerSizes.of(call)
  }

  async #postOrDivide(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<readonly RpcOutcome[]> {
    try {
      return await this.#post(calls, signal)
    } catch (error) {
      const limit = calls.length < 2 ? null : this.#refusedFor(calls, error)
      if (limit === null) throw error
      return this.#inSmaller(calls, { limit, refusal: error, signal })
    }
  }

  /**
   * The limit that a batch failed for; null where it failed for another reason. Transactions are sent again only where the node says
   * that it took none of them.
   */
  #refusedFor(calls: readonly RpcCall[], error: unknown): BatchLimit | null {
    const isRepeatable = this.#isRepeatable(calls)
    if (error instanceof BatchRefused) return isRepeatable || error.limit !== 'answer' ? error.limit : null
    const cause = error instanceof Error ? error.cause : undefined
    if (!isRepeatable) return null
    if (isTooLarge(error)) return 'answer'
    if (!(cause instanceof HttpStatusError) || !BATCH_STATUS.has(cause.status)) return null
    if (cause.status !== 413) return 'calls'
    return sum(calls.map(requestSize)) > LARGE_REQUEST ? 'request' : 'answer'
  }

  /** Finds a number of calls that the node takes together, and remembers it. Throws `refusal` when it does not take them singly either. */
  async #inSmaller(
    calls: readonly RpcCall[],
    { limit, refusal, signal }: { limit: BatchLimit; refusal: unknown; signal: AbortSignal | undefined },
  ): Promise<readonly RpcOutcome[]> {
    for (const size of limit === 'calls' ? SMALLER_BATCHES : halvesOf(calls.length)) {
      if (size >= calls.length) continue
      try {
        const outcomes = await this.#inPartsOf(calls, size, signal)
        this.#noteLimit(limit, partsOf(calls, size))
        return outcomes
      } catch (error) {
        if (this.#refusedFor(calls, error) === null) throw error
      }
    }
    throw refusal
  }

  /** Remembers the largest part that the node took. */
  #noteLimit(limit: BatchLimit, taken: readonly (readonly RpcCall[])[]): void {
    if (limit === 'calls') {
      this.restrictions.noteMostCalls(taken[0]?.length ?? 1)
      return
    }
    const sizes = taken.map((part) => sum(part.map((call) => this.#sizeOf(limit, call))))
    this.restrictions.noteMostOf(limit, Math.max(...sizes))
  }

  async #inPartsOf(
    calls: readonly RpcCall[],
    size: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly RpcOutcome[]> {
    const first = await this.#post(calls.slice(0, size), signal)
    const ask = (part: readonly RpcCall[], ended: AbortSignal) => this.#post(part, ended)
    const atOnce = this.#isRepeatable(calls) ? PARTS_AT_ONCE : 1
    return [...first, ...(await inParts(partsOf(calls.slice(size), size), ask, { signal, atOnce }))]
  }

  async #post(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<readonly RpcOutcome[]> {
    const first = this.#nextId
    this.#nextId += calls.length
    const bodies = calls.map(({ method, params }, at) => ({ jsonrpc: '2.0', id: first + at, method, params }))
    for (const call of calls) this.#deps.onCall?.(call.method)
    const single = bodies.length === 1 && this.#deps.alwaysBatched !== true
    const { text, ...said } = await this.#send(JSON.stringify(single ? bodies[0] : bodies), calls, signal)
    const answer = await this.#parsedInTurn(text)
    const outcomes = readAnswers(answer, first, calls)
    const judged = this.#judged(calls, { ...said, outcomes, isOne: isOneError(answer) })
    this.#answerSizes.note(calls, text.length)
    this.restrictions.noteAnswered(text.length)
    return judged
  }

  /** Outcomes as they must be. Throws `RefusedCalls` when one is a refusal, or the status says that all are. */
  #judged(calls: readonly RpcCall[], { outcomes, isOne, status, retryAfterMs }: RawAnswer): readonly RpcOutcome[] {
    const { isAnswer = status < 500 ? isNoTrouble : never } = this.#deps
    const isAllRefused = isRefusingStatus(status) || (isOne && calls.length > 1)
    const at = outcomes.findIndex((outcome, place) => {
      // CAST: there is an outcome for each call.
      return !outcome.ok && (isAllRefused || !isAnswer(outcome.error, calls[place] as RpcCall))
    })
    const [refused, call] = [outcomes[at], calls[at]]
    if (refused?.ok === false && call !== undefined) {
      this.restrictions.note(call, refused.error)
      const limit = calls.length > 1 ? limitOf(refused.error, isOne) : null
      const read = this.#read(calls, outcomes)
      if (limit === null) throw new RefusedCalls(call, refused.error, read, { status, retryAfterMs })
      throw new BatchRefused(limit, call, refused.error, read, { status, retryAfterMs })
    }
    const isFailed = isRefusingStatus(status) || (status >= 500 && outcomes.some(({ ok }) => ok))
    if (isFailed) throw httpStatusError(status, retryAfterMs)
    return this.#read(calls, outcomes)
  }

  #read(calls: readonly RpcCall[], outcomes: readonly RpcOutcome[]): readonly RpcOutcome[] {
    const { read } = this.#deps
    if (read === undefined) return outcomes
    // CAST: there is an outcome for each call.
    return outcomes.map((outcome, place) =>
      outcome.ok ? { ok: true, result: read(outcome.result, calls[place] as RpcCall) } : outcome,
    )
  }

  /** Others get their turn before and after a long answer: reading it takes a while, and so does what follows. */
  async #parsedInTurn(text: string): Promise<unknown> {
    if (text.length < LONG_ANSWER) return this.#parsed(text)
    await setImmediate()
    const parsed = this.#parsed(text)
    await setImmediate()
    return parsed
  }

  async #send(text: string, calls: readonly RpcCall[], signal: AbortSignal | undefined) {
    const {
      status,
      body,
      retryAfterMs = null,
    } = await this.#transport.send({
      body: { text, type: 'application/json' },
      repeatable: this.#isRepeatable(calls),
      signal,
    })
    const answer = body.toString('utf8')
    // Some nodes send JSON-RPC errors with status 4xx or 5xx: the body is read too.
    if (status === 200 || (this.#deps.dialect === undefined && answer.includes('"jsonrpc"')))
      return { text: answer, status, retryAfterMs }
    throw httpStatusError(status, retryAfterMs)
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

/** Limits of nodes to one request. */
type BatchLimit = 'calls' | SizedPart

const PARTS: readonly SizedPart[] = ['request', 'answer']

/** A node refused calls because of how many there were, or how large they or their answers are together. */
class BatchRefused extends RefusedCalls {
  constructor(
    readonly limit: BatchLimit,
    ...refused: ConstructorParameters<typeof RefusedCalls>
  ) {
    super(...refused)
  }
}

/** The limit of a batch that an error speaks of; null: of none. */
const limitOf = (error: JsonRpcError, isOne: boolean): BatchLimit | null =>
  tooLargePart(error) ?? (isBatchRefusal(error, isOne) ? 'calls' : null)

/** Half of a number, half of that, down to one. */
const halvesOf = (count: number): readonly number[] =>
  count < 2 ? [] : [Math.ceil(count / 2), ...halvesOf(Math.ceil(count / 2))]

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)

/** Statuses that may say that a batch is not taken, or is too large. */
const BATCH_STATUS: ReadonlySet<number> = new Set([400, 403, 405, 413, 414, 422, 500, 501])

const isNoTrouble = (error: JsonRpcError): boolean =>
  !isEndpointTrouble(error) && !isBatchRefusal(error, false) && tooLargePart(error) === null

const never = (): boolean => false

/** Result of an outcome; throws RpcResponseError (a ServiceError) when the node answered with an error. */
export const resultOf = <T>(outcome: RpcOutcome | undefined, method: string): T => {
  if (outcome === undefined) throw transportError(new Error('No answer'), false)
  if (!outcome.ok) throw new RpcResponseError(method, outcome.error)
  return outcome.result as T
}
