import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ServiceError } from '../../errors/serviceError.js'
import type { Endpoint, Question } from './endpoint.js'
import { inOrder, votersOf } from './endpointOrder.js'

/** A single node is asked again so long after it could not be reached. */
const SECOND_CHANCE_MS = 100

export interface EndpointPoolDeps<Client, Own extends Endpoint<Client> = Endpoint<Client>> {
  /** In configured order; see `openEndpoints`. */
  readonly endpoints: readonly (Own & Endpoint<Client>)[]
  readonly logger: Logger
}

export interface AskOptions<T> {
  /** Ends the question with its reason; no node is blamed for that. */
  readonly signal?: AbortSignal | undefined
  /** An answer that says no more than that the node is busy: it rests, and the next one is asked, while there is one. */
  readonly isBusy?: (answer: T) => boolean
}

/**
 * The nodes of one chain, asked through any client: failover, back-off, and whose vote counts. Whether they are to be believed is
 * judged by an `EndpointMonitor`. `Own` is for clients that add to their endpoints.
 */
export class EndpointPool<Client, Own extends Endpoint<Client> = Endpoint<Client>> {
  readonly endpoints: readonly Own[]
  readonly #logger: Logger
  #preferred = 0
  #open = new AbortController()

  constructor({ endpoints, logger }: EndpointPoolDeps<Client, Own>) {
    this.endpoints = endpoints
    this.#logger = logger
  }

  /** One endpoint of each provider that has a trusted one which does not stand still, in configured order: whose agreement counts. */
  get providers(): readonly Own[] {
    return votersOf(this.endpoints)
  }

  /** How many providers are configured, trusted or not. */
  get providerCount(): number {
    return new Set(this.endpoints.map(({ provider }) => provider)).size
  }

  /** Trusted endpoints in the order to try them: the one that answered last first, late ones after the others, resting ones last. */
  ordered(): readonly Own[] {
    return inOrder([...this.endpoints.slice(this.#preferred), ...this.endpoints.slice(0, this.#preferred)])
  }

  /**
   * The answer of the first node that has one; all of one question is asked of one node. Throws ServiceError (REQUEST_TIMED_OUT,
   * RPC_HTTP_ERROR, SERVICE_UNAVAILABLE) when none has, and at once whatever else the question throws.
   */
  async ask<T>(question: Question<Client, T>, options: AskOptions<T> = {}): Promise<T> {
    const open = this.#open.signal
    const order = this.ordered()
    let failure: unknown = new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
    for (const [turn, endpoint] of order.entries()) {
      try {
        return await this.#askOne(endpoint, question, turn === order.length - 1 ? { signal: options.signal } : options)
      } catch (error) {
        if (open.aborted || options.signal?.aborted === true || !ServiceError.is(error)) throw error
        failure = error
        this.#logger.warn({ endpoint: endpoint.name, err: error }, 'A node did not answer')
      }
    }
    // A single node gets one more chance, but not after a time-out: the caller has waited enough.
    const [only] = order
    if (only === undefined || order.length > 1 || !isUnreachable(failure)) throw failure
    await delay(SECOND_CHANCE_MS, undefined, { signal: options.signal }).catch(() => undefined)
    options.signal?.throwIfAborted()
    if (open.aborted) throw failure
    return this.#askOne(only, question, { signal: options.signal })
  }

  /** Ends what is under way and lets go of all connections. */
  close(): void {
    this.#open.abort()
    this.#open = new AbortController()
    for (const endpoint of this.endpoints) endpoint.close()
  }

  async #askOne<T>(endpoint: Own, question: Question<Client, T>, { signal, isBusy }: AskOptions<T>): Promise<T> {
    const answer = await endpoint.ask(question, signal)
    if (isBusy?.(answer) === true) {
      endpoint.rest()
      throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain is busy. Try again.')
    }
    this.#preferred = this.endpoints.indexOf(endpoint)
    return answer
  }
}

const isUnreachable = (error: unknown): boolean => ServiceError.is(error) && error.code === 'RPC_HTTP_ERROR'
