import type { Logger } from 'pino'
import type { RpcEndpoint } from '../../../chain/endpoint/rpcEndpoint.js'
import { EndpointPool } from '../endpointPool.js'
import { openEndpoints } from '../openEndpoints.js'
import type { AnswerReader } from './checkedAnswer.js'
import type { OpenTransport } from './httpTransport.js'
import { inBatches, type JsonRpcEndpoint, resultsOf } from './jsonRpcEndpoint.js'
import { RefusedCalls } from './jsonRpcErrors.js'
import { type AnswerRules, JsonRpcNode, type RpcCall, type RpcOutcome, resultOf } from './jsonRpcNode.js'
import type { RpcDialect } from './rpcDialect.js'

/** What the client must know of a chain's RPC beyond JSON-RPC itself. */
export interface JsonRpcProtocol extends AnswerRules {
  /** Asked before a node's first answer is used: is it a node of this very chain? */
  readonly identify: {
    readonly method: string
    readonly params: readonly unknown[]
    matches(result: unknown): boolean
    shown?(result: unknown): string
  }
  /** Methods never sent twice unseen, because a lost answer may hide success: broadcasts. */
  readonly unrepeatable: ReadonlySet<string>
  /** How nodes are spoken to where that is not JSON-RPC 2.0. */
  readonly dialect?: RpcDialect
}

export interface JsonRpcClientDeps {
  readonly protocol: JsonRpcProtocol
  readonly endpoints: readonly RpcEndpoint[]
  readonly timeoutMs: number
  readonly logger: Logger
  /** Called once for each JSON-RPC call that goes out, batched or not. */
  readonly onRpcCall?: ((method: string) => void) | undefined
  /** How each node is reached: over HTTP unless told. */
  readonly transport?: OpenTransport | undefined
}

/** The nodes of one chain that speaks JSON-RPC: an `EndpointPool` that is asked in batches. */
export class JsonRpcClient {
  readonly pool: EndpointPool<JsonRpcNode, JsonRpcEndpoint>
  #gathering: { readonly calls: RpcCall[]; readonly outcomes: Promise<readonly RpcOutcome[]> } | null = null

  constructor({ protocol, endpoints, timeoutMs, logger, onRpcCall, transport }: JsonRpcClientDeps) {
    const { identify, ...rules } = protocol
    const opened = openEndpoints(endpoints, {
      open: ({ http: url }) => new JsonRpcNode({ ...rules, url, timeoutMs, onCall: onRpcCall, transport }),
      identify: async (node, signal) => {
        const answer = await node.call(identify, (result) => result, signal)
        if (identify.matches(answer)) return true
        const serves = identify.shown?.(answer) ?? answer
        return typeof serves === 'string' ? { serves } : false
      },
      close: (node) => node.close(),
    })
    this.pool = new EndpointPool({ endpoints: opened.map(inBatches), logger })
  }

  get endpoints(): readonly JsonRpcEndpoint[] {
    return this.pool.endpoints
  }

  /** See `EndpointPool`. */
  get providers(): readonly JsonRpcEndpoint[] {
    return this.pool.providers
  }

  /** See `EndpointPool`. */
  othersOf(endpoint: JsonRpcEndpoint): readonly JsonRpcEndpoint[] {
    return this.pool.othersOf(endpoint)
  }

  /** How many providers are configured, trusted or not. */
  get providerCount(): number {
    return this.pool.providerCount
  }

  /** See `EndpointPool`. */
  ordered(): readonly JsonRpcEndpoint[] {
    return this.pool.ordered()
  }

  /**
   * Several calls in one HTTP request (in a dialect side by side), all answered by the same node. Where every node refuses a call, the
   * last one's refusal is its outcome. Throws ServiceError (REQUEST_TIMED_OUT, RPC_HTTP_ERROR, SERVICE_UNAVAILABLE) when no endpoint
   * answers.
   */
  async batch(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcOutcome[]> {
    try {
      return await this.pool.ask((node, asked) => node.batch(calls, asked), { signal, refuses: refusesOneOf(calls) })
    } catch (error) {
      if (error instanceof RefusedCalls && error.outcomes.length === calls.length) return error.outcomes
      throw error
    }
  }

  /** A batch of reads that shares its HTTP request with every other one asked for in the same turn. */
  async gather(calls: readonly RpcCall[]): Promise<readonly RpcOutcome[]> {
    this.#gathering ??= { calls: [], outcomes: this.#sendGathered() }
    const { calls: queue, outcomes } = this.#gathering
    const from = queue.length
    queue.push(...calls)
    return (await outcomes).slice(from, from + calls.length)
  }

  /**
   * The result of one call, as `read` makes it; without a reader it is trusted to be a `T`. An answer that `read` refuses is no
   * answer: the next node is asked. Throws RpcResponseError when the node answers with an error.
   */
  async call<T>(method: string, params: readonly unknown[], read: AnswerReader<T> = trusted): Promise<T> {
    const question = async (node: JsonRpcNode, signal: AbortSignal) => {
      const outcomes = await node.batch([{ method, params }], signal)
      return outcomes.map((outcome) => (outcome.ok ? { ok: true as const, result: read(outcome.result) } : outcome))
    }
    const [outcome] = await this.pool.ask(question, { refuses: refusesOneOf([{ method, params }]) })
    return resultOf<T>(outcome, method)
  }

  /** Results of a batch none of whose calls may fail. */
  results(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    return resultsOf(this, calls)
  }

  close(): void {
    this.pool.close()
  }

  async #sendGathered(): Promise<readonly RpcOutcome[]> {
    await Promise.resolve()
    const calls = this.#gathering?.calls ?? []
    this.#gathering = null
    return this.batch(calls)
  }
}

const refusesOneOf =
  (calls: readonly RpcCall[]) =>
  ({ restrictions }: JsonRpcNode): boolean =>
    calls.some((call) => restrictions.concern(call))

// CAST: what callers say that a method answers.
const trusted = <T>(answer: unknown): T => answer as T
