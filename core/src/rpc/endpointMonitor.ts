import type { Logger } from 'pino'
import type { Disagreement, EndpointHealth, EndpointState } from '../chain/endpointHealth.js'
import { ServiceError } from '../errors/serviceError.js'
import { CheckRounds } from './checkRounds.js'
import { findContradictions } from './contradictions.js'
import type { EndpointHead, EndpointProbe } from './endpointProbe.js'
import { findInvented, findLagging, type HeadClaim, middleOf } from './headRules.js'
import type { JsonRpcClient } from './jsonRpcClient.js'
import { type JsonRpcEndpoint, type RpcOutcome, resultOf } from './jsonRpcEndpoint.js'

/** For how long a node that showed a deposit which others deny is not believed, after the last time. */
const LIE_MS = 600_000

export interface EndpointMonitorDeps {
  readonly rpc: JsonRpcClient
  readonly probe: EndpointProbe
  readonly intervalMs: number
  /** Unix seconds of the newest block known, for the age of a single endpoint's head, which nobody compares. */
  readonly headTime: () => number | null
  readonly logger: Logger
}

const WRONG_CHAIN = 'It serves another chain.'

type Seen = HeadClaim<JsonRpcEndpoint> & EndpointHead

/**
 * Compares the endpoints of a chain with each other: chain, head, and the hash of a settled block. One that most others
 * contradict is distrusted, and used for nothing until it agrees again; when two contradict each other and there is no
 * majority, neither is trusted (faults.md F05, F06).
 */
export class EndpointMonitor {
  readonly #deps: EndpointMonitorDeps
  readonly #heads = new Map<JsonRpcEndpoint, Seen>()
  #lagging: ReadonlySet<JsonRpcEndpoint> = new Set()
  /** Endpoints caught with a false deposit, and until when that counts. */
  readonly #lies = new Map<JsonRpcEndpoint, { readonly reason: string; readonly until: number }>()
  readonly #rounds: CheckRounds

  constructor(deps: EndpointMonitorDeps) {
    this.#deps = deps
    const { rpc, intervalMs, logger } = deps
    this.#rounds = new CheckRounds({ check: () => this.check(), endpoints: () => rpc.endpoints, intervalMs, logger })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): void {
    this.#rounds.stop()
  }

  health(): readonly EndpointHealth[] {
    return this.#deps.rpc.endpoints.map((endpoint) => {
      const { state, reason } = this.#stateOf(endpoint)
      const time = this.#heads.get(endpoint)?.time ?? this.#deps.headTime()
      return {
        name: endpoint.name,
        provider: endpoint.provider,
        state,
        headAgeMs: time === null ? null : Math.max(0, Date.now() - time * 1000),
        ...(reason === null ? {} : { reason }),
      }
    })
  }

  onDisagreement(listener: (disagreement: Disagreement) => void, signal: AbortSignal): void {
    this.#rounds.onDisagreement(listener, signal)
  }

  report(disagreement: Disagreement): void {
    this.#rounds.report(disagreement)
  }

  /** Keeps an endpoint out for a while: it showed what most others deny. */
  caughtLying(endpoint: JsonRpcEndpoint, reason: string): void {
    this.#lies.set(endpoint, { reason, until: Date.now() + LIE_MS })
    this.#judge(endpoint, reason)
  }

  /** One round: asks every endpoint, distrusted ones too, and compares what they say. */
  async check(): Promise<void> {
    // A single endpoint has nobody to be compared with; its failures show in its own requests.
    if (this.#deps.rpc.endpoints.length < 2) return
    this.#rounds.began()
    const answers = await Promise.all(this.#deps.rpc.endpoints.map((endpoint) => this.#look(endpoint)))
    const seen = answers.filter((answer) => answer !== null)
    this.#lagging = findLagging(seen, this.#deps.probe.lag.limit)
    const found = await this.#compare(seen)
    for (const { endpoint } of seen) {
      const lie = this.#lies.get(endpoint)
      if (lie !== undefined && lie.until > Date.now()) continue
      this.#lies.delete(endpoint)
      const reason = found.get(endpoint)
      if (reason !== undefined) this.#judge(endpoint, reason)
    }
  }

  #stateOf(endpoint: JsonRpcEndpoint): { readonly state: EndpointState; readonly reason: string | null } {
    if (endpoint.distrust !== null) return { state: 'distrusted', reason: endpoint.distrust }
    if (endpoint.failure !== null) return { state: 'down', reason: endpoint.failure }
    if (this.#lagging.has(endpoint)) return { state: 'lagging', reason: this.#deps.probe.lag.reason }
    return { state: 'ok', reason: null }
  }

  #judge(endpoint: JsonRpcEndpoint, reason: string | null): void {
    if (endpoint.distrust === reason) return
    const { logger } = this.#deps
    if (reason === null) logger.info({ endpoint: endpoint.name }, 'A node of this chain is trusted again')
    else logger.error({ endpoint: endpoint.name, reason }, 'A node of this chain is not trusted any more')
    endpoint.setDistrust(reason)
  }

  async #look(endpoint: JsonRpcEndpoint): Promise<Seen | null> {
    const { probe } = this.#deps
    const { method, params } = probe.identify
    try {
      const [identity, ...outcomes] = await endpoint.batch([{ method, params }, ...probe.headCalls])
      if (!probe.identify.matches(resultOf(identity, method))) throw wrongChain()
      if (endpoint.distrust === WRONG_CHAIN) this.#judge(endpoint, null)
      const seen = { endpoint, ...probe.readHead(outcomes) }
      this.#heads.set(endpoint, seen)
      return seen
    } catch (error) {
      // Why an endpoint does not answer, it remembers itself.
      if (ServiceError.is(error) && error.code === 'SERVICE_UNAVAILABLE') this.#judge(endpoint, WRONG_CHAIN)
      return null
    }
  }

  async #compare(seen: readonly Seen[]): Promise<ReadonlyMap<JsonRpcEndpoint, string | null>> {
    const first = await this.#compareOnce(seen)
    if (this.#deps.probe.final) return first
    return [...first.values()].some((reason) => reason !== null) ? this.#compareOnce(seen) : first
  }

  async #compareOnce(seen: readonly Seen[]): Promise<ReadonlyMap<JsonRpcEndpoint, string | null>> {
    const { probe } = this.#deps
    const invented = findInvented(seen, probe.maxAhead)
    const honest = seen.filter(({ endpoint }) => !invented.has(endpoint))
    const middle = middleOf(honest.map(({ comparable }) => comparable))
    if (middle === undefined || middle < probe.depth) return new Map()
    const height = middle - probe.depth
    const claims = await Promise.all(
      honest
        .filter(({ comparable }) => comparable >= height)
        .map(async ({ endpoint }) => ({ endpoint, hash: await this.#hashAt(endpoint, height) })),
    )
    const answered = claims.flatMap(({ endpoint, hash }) => (hash === null ? [] : [{ endpoint, hash }]))
    return new Map([
      ...findContradictions(answered, height),
      ...[...invented].map((endpoint) => [endpoint, `Its newest ${probe.unit} is far ahead of the others.`] as const),
    ])
  }

  async #hashAt(endpoint: JsonRpcEndpoint, height: bigint): Promise<string | null> {
    const { probe } = this.#deps
    const outcomes: readonly RpcOutcome[] = await endpoint.batch([probe.hashCall(height)]).catch(() => [])
    const [outcome] = outcomes
    return outcome?.ok && outcome.result !== null ? probe.readHash(outcome.result) : null
  }
}

const wrongChain = (): ServiceError => new ServiceError('SERVICE_UNAVAILABLE', WRONG_CHAIN)
