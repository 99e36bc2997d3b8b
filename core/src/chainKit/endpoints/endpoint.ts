import { ServiceError } from '../../errors/serviceError.js'
import type { Lateness } from './monitor/headRace.js'
import { eitherSignal, orAborted, sharedController } from './questionSignal.js'
import { retryAfterOf, transportError } from './transportError.js'

/**
 * What is asked of one node, with one request or with several that belong together. It may be asked again, of this node or of
 * another one, so it changes nothing. What it throws as a ServiceError is the node's fault; anything else is the caller's.
 * `signal` aborts when the answer is not wanted any more.
 */
export type Question<Client, T> = (client: Client, signal: AbortSignal) => Promise<T>

/** True: a node of this very chain. Otherwise the chain that it serves, for people; false where it does not name one. */
export type Identity = boolean | { readonly serves: string }

export interface EndpointDeps<Client> {
  /** How operators know it; never the URL. */
  readonly name: string
  /** Endpoints of one provider count once towards agreement. */
  readonly provider: string
  readonly client: Client
  /** Asked before the node's first answer is used: is it a node of this very chain? */
  readonly identify: Question<Client, Identity>
  /** Lets go of the connections; the client may be used again. */
  readonly close: () => void
}

/** Longest rest that a node may ask for, milliseconds. */
const MAX_RETRY_AFTER_MS = 600_000

const OTHER_CHAIN = 'A node set for this chain serves another chain.'

/** Thrown of a node that turns out to serve another chain (faults.md F06). */
export const otherChain = (serves: string | null = null): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', OTHER_CHAIN, serves === null ? {} : { cause: new ServedChain(serves) })

/** The chain that a node serves in place of the configured one. */
class ServedChain extends Error {}

/** The chain that a node of another chain serves; null where it did not name one. */
export const servedChain = (error: unknown): string | null =>
  ServiceError.is(error) && error.cause instanceof ServedChain ? error.cause.message : null

/** Whether an error says that a node serves another chain. */
export const isOtherChain = (error: unknown): boolean => ServiceError.is(error) && error.message === OTHER_CHAIN

/** One node of a chain, by any client, and what is known of its worth. Its identity is checked before its first answer is used. */
export class Endpoint<Client> {
  readonly name: string
  readonly provider: string
  /** For a question to this node alone whose failure is to change nothing; otherwise `ask`. */
  readonly client: Client
  readonly #deps: EndpointDeps<Client>
  #open = sharedController()
  #checked: Promise<void> | null = null
  /** In a row. */
  #failures = 0
  #failed = 0
  #restingUntil = 0
  /** Of a rest that the node asked for. */
  #askedRestUntil = 0
  #failure: string | null = null
  #distrust: string | null = null
  #lateness: Lateness = 'none'

  constructor(deps: EndpointDeps<Client>) {
    this.#deps = deps
    this.name = deps.name
    this.provider = deps.provider
    this.client = deps.client
  }

  /** False while the endpoint rests after failures. Real time, not business time: it is about a network. */
  get rested(): boolean {
    return performance.now() >= this.#restingUntil
  }

  /** Why the last question got no answer; null once one did. */
  get failure(): string | null {
    return this.#failure
  }

  /** Questions without an answer, and messages that were none, since it was opened. */
  get failed(): number {
    return this.#failed
  }

  /** Why nothing it says is believed, else null. */
  get distrust(): string | null {
    return this.#distrust
  }

  /** Judged by whoever compares nodes; null trusts it again. */
  setDistrust(reason: string | null): void {
    this.#distrust = reason
  }

  /** Whether it shows less than others do. */
  get lateness(): Lateness {
    return this.#lateness
  }

  /** Judged by whoever compares nodes. */
  setLateness(lateness: Lateness): void {
    this.#lateness = lateness
  }

  /**
   * Throws ServiceError (`otherChain` too) when the node has no answer, and the reason of `signal` when that aborts: that is no
   * failure of the node.
   */
  async ask<T>(question: Question<Client, T>, signal?: AbortSignal): Promise<T> {
    const asked = eitherSignal(this.#open.signal, signal)
    try {
      const answer = await orAborted(this.#answer(question, asked.signal), asked.signal)
      this.#answered()
      return answer
    } catch (error) {
      if (asked.signal.aborted) throw asked.signal.reason
      this.fail(error)
      throw error
    } finally {
      asked.release()
    }
  }

  /**
   * Makes the endpoint the last choice for a while: 0.25 s, doubled with each failure in a row, at most 15 s; for as long as the node
   * asks for, at most ten minutes (`Retry-After`).
   */
  rest(leastMs = 0): void {
    const now = performance.now()
    this.#askedRestUntil = Math.max(this.#askedRestUntil, now + Math.min(leastMs, MAX_RETRY_AFTER_MS))
    this.#restingUntil = Math.max(this.#askedRestUntil, now + Math.min(15_000, 250 * 2 ** this.#failures))
    this.#failures = Math.min(this.#failures + 1, 10)
  }

  /** Counts a failure and rests: a question without an answer, or a message that is none. */
  fail(error: unknown): void {
    this.#failed += 1
    this.rest(retryAfterOf(error))
    this.#failure = error instanceof Error ? error.message : 'It does not answer.'
  }

  /** An answer ends the rest, unless the node asked for it. */
  #answered(): void {
    this.#failure = null
    if (performance.now() < this.#askedRestUntil) return
    this.#failures = 0
    this.#restingUntil = 0
  }

  /** Ends what is under way, as if the node could not be reached, and lets go of connections. */
  close(): void {
    this.#open.abort(transportError(new Error('The endpoint was closed'), false))
    this.#open = sharedController()
    this.#deps.close()
  }

  async #answer<T>(question: Question<Client, T>, signal: AbortSignal): Promise<T> {
    // Several questions share the check, so that no single one's signal ends it.
    this.#checked ??= this.#checkIdentity(this.#open.signal)
    await this.#checked
    signal.throwIfAborted()
    return question(this.client, signal)
  }

  async #checkIdentity(signal: AbortSignal): Promise<void> {
    try {
      const identity = await this.#deps.identify(this.client, signal)
      if (identity !== true) throw otherChain(identity === false ? null : identity.serves)
    } catch (error) {
      this.#checked = null
      throw error
    }
  }
}
