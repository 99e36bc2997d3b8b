import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ServiceError } from '../../errors/serviceError.js'
import { RefusedCalls } from './clients/jsonRpcErrors.js'
import type { Endpoint, Question } from './endpoint.js'
import { inOrder, votersOf } from './endpointOrder.js'

/** A single node is asked again so long after it could not be reached. */
const SECOND_CHANCE_MS = 100

export interface EndpointPoolDeps<Client, Own extends Endpoint<Client> = Endpoint<Client>> {
  /** In configured order; see `openEndpoints`. */
  readonly endpoints: readonly (Own & Endpoint<Client>)[]
  readonly logger: Logger
}

export interface AskOptions<Client> {
  /** Ends the question with its reason; no node is blamed for that. */
  readonly signal?: AbortSignal | undefined
  /** Whether a node is known to refuse this question: it is asked after the others. */
  readonly refuses?: (client: Client) => boolean
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

  /** Other trusted endpoints of the same provider, in the order to try them. */
  othersOf(endpoint: Own): readonly Own[] {
    const others = this.endpoints.filter((other) => other !== endpoint && other.provider === endpoint.provider)
    return inOrder(others).filter(({ lateness }) => lateness !== 'stands')
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
  async ask<T>(question: Question<Client, T>, { signal, refuses }: AskOptions<Client> = {}): Promise<T> {
    const open = this.#open.signal
    const order = refuses === undefined ? this.ordered() : refusingLast(this.ordered(), refuses)
    let failure: unknown = new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
    for (const endpoint of order) {
      try {
        return await this.#askOne(endpoint, question, signal)
      } catch (error) {
        if (open.aborted || signal?.aborted === true || !ServiceError.is(error)) throw error
        failure = error
        this.#logger.warn({ endpoint: endpoint.name, err: error }, 'A node did not answer')
      }
    }
    // A single node gets one more chance, but not after a time-out: the caller has waited enough. What it refuses it refuses again.
    const [only] = order
    if (only === undefined || order.length > 1 || !isUnreachable(failure)) throw failure
    await delay(SECOND_CHANCE_MS, undefined, { signal }).catch(() => undefined)
    signal?.throwIfAborted()
    if (open.aborted) throw failure
    return this.#askOne(only, question, signal)
  }

  /** Ends what is under way and lets go of all connections. */
  close(): void {
    this.#open.abort()
    this.#open = new AbortController()
    for (const endpoint of this.endpoints) endpoint.close()
  }

  async #askOne<T>(endpoint: Own, question: Question<Client, T>, signal: AbortSignal | undefined): Promise<T> {
    const answer = await endpoint.ask(question, signal)
    this.#preferred = this.endpoints.indexOf(endpoint)
    return answer
  }
}

const refusingLast = <Client, Own extends Endpoint<Client>>(
  order: readonly Own[],
  refuses: (client: Client) => boolean,
): readonly Own[] => {
  const refusing = new Set(order.filter(({ client }) => refuses(client)))
  return refusing.size === 0 ? order : [...order.filter((endpoint) => !refusing.has(endpoint)), ...refusing]
}

const isUnreachable = (error: unknown): boolean =>
  ServiceError.is(error) && error.code === 'RPC_HTTP_ERROR' && !(error instanceof RefusedCalls)
