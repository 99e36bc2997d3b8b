import type { Logger } from 'pino'
import type { Disagreement, EndpointHealth, EndpointState } from '../../../chain/endpoint/endpointHealth.js'
import { larger } from '../../../money/compare.js'
import type { JsonRpcNode } from '../clients/jsonRpcNode.js'
import { type Endpoint, isOtherChain } from '../endpoint.js'
import { CheckRounds } from './checkRounds.js'
import { findContradictions } from './contradictions.js'
import type { EndpointHead, EndpointProbe } from './endpointProbe.js'
import { type HeadPace, silenceOf } from './headPace.js'
import { HeadRace, type ShownHead } from './headRace.js'
import { findInvented, findLagging, type HeadClaim, middleOf } from './headRules.js'

/** For how long a node that showed a deposit which others deny is not believed, after the last time. */
const DISTRUST_MS = 600_000

export interface EndpointMonitorDeps<Client = JsonRpcNode> {
  /** An `EndpointPool`, or whatever has its endpoints. */
  readonly pool: { readonly endpoints: readonly Endpoint<Client>[] }
  readonly probe: EndpointProbe<Client>
  readonly intervalMs: number
  /** How the heads of this chain come; whoever follows them notes them too. */
  readonly pace: HeadPace
  /** Unix seconds of the newest block known, for the age of a single endpoint's head, which nobody compares. */
  readonly headTime: () => number | null
  readonly logger: Logger
}

const WRONG_CHAIN = 'It serves another chain.'

type Seen<Client> = HeadClaim<Endpoint<Client>> & EndpointHead & ShownHead<Endpoint<Client>>

/**
 * Compares the endpoints of a chain with each other: chain, head, and the hash of a settled block. One that most others
 * contradict is distrusted, and used for nothing until it agrees again; when two contradict each other and there is no
 * majority, neither is trusted (faults.md F05, F06). One that stands still loses its place (faults.md F131).
 */
export class EndpointMonitor<Client = JsonRpcNode> {
  readonly #deps: EndpointMonitorDeps<Client>
  readonly #heads = new Map<Endpoint<Client>, Seen<Client>>()
  readonly #race: HeadRace<Endpoint<Client>>
  #lagging: ReadonlySet<Endpoint<Client>> = new Set()
  /** Endpoints caught with a false deposit, and until when that counts. */
  readonly #distrusted = new Map<Endpoint<Client>, { readonly reason: string; readonly until: number }>()
  readonly #rounds: CheckRounds

  constructor(deps: EndpointMonitorDeps<Client>) {
    this.#deps = deps
    const { pool, pace, intervalMs, logger } = deps
    const race = new HeadRace<Endpoint<Client>>(pace)
    this.#race = race
    const endpoints = () => pool.endpoints
    this.#rounds = new CheckRounds({ check: () => this.check(), endpoints, race, pace, intervalMs, logger })
  }

  /** Rounds from now on, until `stop`. */
  start(): void {
    this.#rounds.start()
  }

  stop(): void {
    this.#rounds.stop()
  }

  health(): readonly EndpointHealth[] {
    return this.#deps.pool.endpoints.map((endpoint) => {
      const { state, reason } = this.#stateOf(endpoint)
      const seen = this.#heads.get(endpoint)
      const time = seen?.time ?? this.#deps.headTime()
      return {
        name: endpoint.name,
        provider: endpoint.provider,
        state,
        headAgeMs: time === null ? null : Math.max(0, Date.now() - time * 1000),
        ...(seen === undefined ? {} : { head: seen.height.toString() }),
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
  distrust(endpoint: Endpoint<Client>, reason: string): void {
    this.#distrusted.set(endpoint, { reason, until: performance.now() + DISTRUST_MS })
    this.#judge(endpoint, reason)
  }

  /** One round: asks every endpoint, distrusted ones too, and compares what they say. */
  async check(): Promise<void> {
    // A single endpoint has nobody to be compared with; its failures show in its own requests, its silence in its head.
    if (this.#deps.pool.endpoints.length < 2) return this.#rounds.tellSilence(this.#silence())
    this.#rounds.began()
    const answers = await Promise.all(this.#deps.pool.endpoints.map((endpoint) => this.#readHead(endpoint)))
    const seen = answers.filter((answer) => answer !== null)
    const found = await this.#compare(seen)
    this.#judgeHeads(seen, found)
    for (const { endpoint } of seen) {
      const kept = this.#distrusted.get(endpoint)
      if (kept !== undefined && kept.until > performance.now()) continue
      this.#distrusted.delete(endpoint)
      const reason = found.get(endpoint)
      if (reason !== undefined) this.#judge(endpoint, reason)
    }
    this.#rounds.tellSilence(this.#silence())
  }

  /** Those that are contradicted make nobody late. */
  #judgeHeads(seen: readonly Seen<Client>[], found: ReadonlyMap<Endpoint<Client>, string | null>): void {
    const { pool, pace, probe } = this.#deps
    const believed = seen.filter(({ endpoint }) => (found.get(endpoint) ?? endpoint.distrust) === null)
    this.#lagging = findLagging(believed, probe.lag.limit)
    const highest = believed.map(({ height }) => height).reduce(larger, -1n)
    if (highest >= 0n) pace.note(highest, performance.now())
    this.#race.judge(believed)
    for (const endpoint of pool.endpoints) this.#setLateness(endpoint)
  }

  #setLateness(endpoint: Endpoint<Client>): void {
    const raced = this.#race.latenessOf(endpoint)
    const lateness = raced === 'none' && this.#lagging.has(endpoint) ? 'behind' : raced
    if (lateness === endpoint.lateness) return
    const { logger } = this.#deps
    const told = { endpoint: endpoint.name, reason: this.#race.reasonOf(endpoint) ?? this.#deps.probe.lag.reason }
    if (lateness === 'stands') logger.warn(told, 'A node of this chain stands still and is asked last')
    else if (endpoint.lateness === 'stands')
      logger.info({ endpoint: endpoint.name }, 'A node of this chain moves again')
    else logger.debug(told, 'A node of this chain is behind or has caught up')
    endpoint.setLateness(lateness)
  }

  /** Why the head of the only endpoint that answers may stand still, else null: nobody else could tell. */
  #silence(): string | null {
    const { pool, pace } = this.#deps
    const answering = pool.endpoints.filter(({ failure }) => failure === null)
    return answering.length === 1 ? silenceOf(pace, performance.now()) : null
  }

  #stateOf(endpoint: Endpoint<Client>): { readonly state: EndpointState; readonly reason: string | null } {
    if (endpoint.distrust !== null) return { state: 'distrusted', reason: endpoint.distrust }
    if (endpoint.failure !== null) return { state: 'down', reason: endpoint.failure }
    if (endpoint.lateness === 'stands') return { state: 'lagging', reason: this.#race.reasonOf(endpoint) }
    if (this.#lagging.has(endpoint)) return { state: 'lagging', reason: this.#deps.probe.lag.reason }
    const silence = this.#silence()
    return silence === null ? { state: 'ok', reason: null } : { state: 'lagging', reason: silence }
  }

  #judge(endpoint: Endpoint<Client>, reason: string | null): void {
    if (endpoint.distrust === reason) return
    const { logger } = this.#deps
    if (reason === null) logger.info({ endpoint: endpoint.name }, 'A node of this chain is trusted again')
    else logger.error({ endpoint: endpoint.name, reason }, 'A node of this chain is not trusted any more')
    endpoint.setDistrust(reason)
  }

  async #readHead(endpoint: Endpoint<Client>): Promise<Seen<Client> | null> {
    const { probe } = this.#deps
    const askedAt = performance.now()
    try {
      const head = await endpoint.ask((client, signal) => probe.head(client, signal))
      if (head === null) return null
      if (endpoint.distrust === WRONG_CHAIN) this.#judge(endpoint, null)
      const seen = { endpoint, askedAt, answeredAt: performance.now(), ...head }
      this.#heads.set(endpoint, seen)
      return seen
    } catch (error) {
      // Why an endpoint does not answer, it remembers itself.
      if (isOtherChain(error)) this.#judge(endpoint, WRONG_CHAIN)
      return null
    }
  }

  async #compare(seen: readonly Seen<Client>[]): Promise<ReadonlyMap<Endpoint<Client>, string | null>> {
    const first = await this.#compareOnce(seen)
    if (this.#deps.probe.final) return first
    return [...first.values()].some((reason) => reason !== null) ? this.#compareOnce(seen) : first
  }

  async #compareOnce(seen: readonly Seen<Client>[]): Promise<ReadonlyMap<Endpoint<Client>, string | null>> {
    const { pace, probe } = this.#deps
    const invented = findInvented(seen, probe.maxAhead, pace.explained(performance.now(), probe.maxAhead))
    const honest = seen.filter(({ endpoint }) => !invented.has(endpoint))
    const middle = middleOf(honest.map(({ comparable }) => comparable))
    const reasons = [...invented].map(
      (endpoint) => [endpoint, `Its newest ${probe.unit} is far ahead of the others.`] as const,
    )
    if (middle === undefined || middle < probe.depth) return new Map(reasons)
    const height = middle - probe.depth
    const claims = await Promise.all(
      honest
        .filter(({ comparable }) => comparable >= height)
        .map(async ({ endpoint }) => ({ endpoint, hash: await this.#hashAt(endpoint, height) })),
    )
    const answered = claims.flatMap(({ endpoint, hash }) => (hash === null ? [] : [{ endpoint, hash }]))
    return new Map([...findContradictions(answered, height), ...reasons])
  }

  #hashAt(endpoint: Endpoint<Client>, height: bigint): Promise<string | null> {
    const { probe } = this.#deps
    return endpoint.ask((client, signal) => probe.hashAt(client, height, signal)).catch(() => null)
  }
}
