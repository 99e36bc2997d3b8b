import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RpcEndpoint } from '../chain/chainPackage.js'
import { providerOf } from '../chain/endpointHealth.js'
import { ServiceError } from '../errors/serviceError.js'
import { JsonRpcEndpoint, type JsonRpcProtocol, type RpcCall, type RpcOutcome, resultOf } from './jsonRpcEndpoint.js'
import { isEndpointTrouble } from './jsonRpcErrors.js'

export interface JsonRpcClientDeps {
  readonly protocol: JsonRpcProtocol
  readonly endpoints: readonly RpcEndpoint[]
  readonly timeoutMs: number
  readonly logger: Logger
  /** Called once for each JSON-RPC call that goes out, batched or not. */
  readonly onRpcCall?: ((method: string) => void) | undefined
}

/** The nodes of one chain: batches, failover, short bounded back-off. */
export class JsonRpcClient {
  readonly endpoints: readonly JsonRpcEndpoint[]
  readonly #logger: Logger
  #preferred = 0
  #gathering: { readonly calls: RpcCall[]; readonly outcomes: Promise<readonly RpcOutcome[]> } | null = null

  constructor(deps: JsonRpcClientDeps) {
    this.#logger = deps.logger
    const names = namesOf(deps.endpoints)
    this.endpoints = deps.endpoints.map(
      (endpoint, at) =>
        new JsonRpcEndpoint({
          url: endpoint.http,
          name: names[at] ?? '',
          provider: providerOf(endpoint),
          protocol: deps.protocol,
          timeoutMs: deps.timeoutMs,
          onCall: deps.onRpcCall,
        }),
    )
  }

  /** One endpoint of each provider that has a trusted one, in configured order. */
  get providers(): readonly JsonRpcEndpoint[] {
    const byProvider = new Map<string, JsonRpcEndpoint>()
    for (const endpoint of this.endpoints) {
      if (endpoint.distrust !== null) continue
      const known = byProvider.get(endpoint.provider)
      if (known === undefined || (!known.rested && endpoint.rested)) byProvider.set(endpoint.provider, endpoint)
    }
    return [...byProvider.values()]
  }

  /** How many providers are configured, trusted or not. */
  get providerCount(): number {
    return new Set(this.endpoints.map(({ provider }) => provider)).size
  }

  /** Trusted endpoints in the order to try them: the preferred one first, resting ones last. */
  ordered(): readonly JsonRpcEndpoint[] {
    const turned = [...this.endpoints.slice(this.#preferred), ...this.endpoints.slice(0, this.#preferred)].filter(
      ({ distrust }) => distrust === null,
    )
    return [...turned.filter((endpoint) => endpoint.rested), ...turned.filter((endpoint) => !endpoint.rested)]
  }

  /**
   * Several calls in one HTTP request, all answered by the same node. Throws ServiceError (REQUEST_TIMED_OUT,
   * RPC_HTTP_ERROR, SERVICE_UNAVAILABLE) when no endpoint answers.
   */
  async batch(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    const order = this.ordered()
    let failure: unknown
    for (const [turn, endpoint] of order.entries()) {
      try {
        return await this.#ask(endpoint, calls, turn === order.length - 1)
      } catch (error) {
        failure = error
        this.#logger.warn({ provider: endpoint.provider, err: error }, 'A node did not answer')
      }
    }
    // A single node gets one more chance, but not after a time-out: the caller has waited enough.
    const [only] = order
    if (only === undefined) throw new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
    if (order.length !== 1 || !isUnreachable(failure)) throw failure
    await delay(100)
    return this.#ask(only, calls, true)
  }

  /** A batch of reads that shares its HTTP request with every other one asked for in the same turn. */
  async gather(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    this.#gathering ??= { calls: [], outcomes: this.#sendGathered() }
    const { calls: queue, outcomes } = this.#gathering
    const from = queue.length
    queue.push(...calls)
    return (await outcomes).slice(from, from + calls.length)
  }

  async call<T>(method: string, params: readonly unknown[]): Promise<T> {
    const [outcome] = await this.batch([{ method, params }])
    return resultOf<T>(outcome, method)
  }

  /** Results of a batch none of whose calls may fail. */
  async results(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    const outcomes = await this.batch(calls)
    return calls.map((call, at) => resultOf<unknown>(outcomes[at], call.method))
  }

  close(): void {
    for (const endpoint of this.endpoints) endpoint.close()
  }

  async #sendGathered(): Promise<readonly RpcOutcome[]> {
    await Promise.resolve()
    const calls = this.#gathering?.calls ?? []
    this.#gathering = null
    return this.batch(calls)
  }

  async #ask(endpoint: JsonRpcEndpoint, calls: readonly RpcCall[], last: boolean): Promise<readonly RpcOutcome[]> {
    const outcomes = await endpoint.batch(calls)
    const troubled = outcomes.find((outcome) => !outcome.ok && isEndpointTrouble(outcome.error))
    if (troubled !== undefined && !last) {
      endpoint.rest()
      throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain is busy. Try again.')
    }
    this.#preferred = this.endpoints.indexOf(endpoint)
    return outcomes
  }
}

/** The provider, numbered where it runs several; without a configured one the place, since a host may hold a key. */
const namesOf = (endpoints: readonly RpcEndpoint[]): readonly string[] =>
  endpoints.map(({ provider }, at) => {
    if (provider === undefined) return `endpoint ${at + 1}`
    const before = endpoints.slice(0, at).filter((other) => other.provider === provider).length
    const several = endpoints.filter((other) => other.provider === provider).length > 1
    return several ? `${provider} ${before + 1}` : provider
  })

const isUnreachable = (error: unknown): boolean => ServiceError.is(error) && error.code === 'RPC_HTTP_ERROR'
