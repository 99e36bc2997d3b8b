import {
  type BroadcastResult,
  type EndpointHealth,
  type Hex,
  providerOf,
  type RpcEndpoint,
  ServiceError,
} from '@causeway/core'
import type { Logger } from 'pino'
import type { BvmSettings } from '../options.js'
import { judgeClaims } from './agreement.js'
import type { BitcoinSource } from './bitcoinSource.js'
import { CoreSource } from './coreSource.js'
import { EsploraSource } from './esploraSource.js'
import { SourceEndpoint } from './sourceEndpoint.js'

/** Blocks an endpoint may be behind the others. */
const LAG_BLOCKS = 2n

export interface SourcePoolDeps {
  readonly endpoints: readonly RpcEndpoint[]
  readonly settings: Pick<BvmSettings, 'access' | 'genesisHash' | 'rpcTimeoutMs' | 'maxAnswerBytes'>
  /** Depth at which nodes must agree on a block. */
  readonly settle: bigint
  readonly logger: Logger
}

/** The nodes of one chain, of either API: failover, and comparison with each other. */
export class SourcePool {
  readonly endpoints: readonly SourceEndpoint[]
  readonly #deps: SourcePoolDeps
  #preferred = 0

  constructor(deps: SourcePoolDeps) {
    this.#deps = deps
    const names = namesOf(deps.endpoints)
    this.endpoints = deps.endpoints.map((endpoint, at) => {
      const { genesisHash } = deps.settings
      const source = openSource(endpoint, deps.settings, at)
      return new SourceEndpoint({ name: names[at] ?? '', provider: providerOf(endpoint), source, genesisHash })
    })
  }

  /** One trusted endpoint of each provider, in configured order: those whose agreement counts. */
  get providers(): readonly SourceEndpoint[] {
    const chosen = new Map<string, SourceEndpoint>()
    for (const endpoint of this.endpoints) {
      if (endpoint.distrust !== null) continue
      const known = chosen.get(endpoint.provider)
      if (known === undefined || (!known.rested && endpoint.rested)) chosen.set(endpoint.provider, endpoint)
    }
    return [...chosen.values()]
  }

  /** How many providers are configured. */
  get providerCount(): number {
    return new Set(this.endpoints.map(({ provider }) => provider)).size
  }

  /** Trusted endpoints in the order to try them: the one that answered last first, resting ones last. */
  ordered(): readonly SourceEndpoint[] {
    const turned = [...this.endpoints.slice(this.#preferred), ...this.endpoints.slice(0, this.#preferred)].filter(
      ({ distrust }) => distrust === null,
    )
    const worth = (endpoint: SourceEndpoint) => (endpoint.rested ? 0 : 2) + (endpoint.lagging ? 1 : 0)
    return turned.sort((left, right) => worth(left) - worth(right))
  }

  /**
   * The answer of the first node that has one; all of one question is asked of one node. Throws ServiceError (REQUEST_TIMED_OUT,
   * RPC_HTTP_ERROR, SERVICE_UNAVAILABLE) when none answers.
   */
  async ask<T>(question: (source: BitcoinSource) => Promise<T>): Promise<T> {
    let failure: unknown = new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
    for (const endpoint of this.ordered()) {
      try {
        const answer = await endpoint.ask(question)
        this.#preferred = this.endpoints.indexOf(endpoint)
        return answer
      } catch (error) {
        if (!ServiceError.is(error)) throw error
        failure = error
        this.#deps.logger.warn({ endpoint: endpoint.name, err: error }, 'A node did not answer')
      }
    }
    throw failure
  }

  /**
   * Sends the bytes to one node after the other until one takes them; never throws. Refused only when all refuse: nodes differ in
   * their rules and in what they know. After a node that did not answer, another one's refusal proves nothing: the first may
   * have passed them on (F54).
   */
  async broadcast(raw: Hex): Promise<BroadcastResult> {
    let [doubtful, refused]: (BroadcastResult | null)[] = [null, null]
    for (const endpoint of this.ordered()) {
      const result = await endpoint
        .ask((source) => source.broadcast(raw))
        .catch((): BroadcastResult => ({ outcome: 'unknown', message: 'A node of this chain could not be reached' }))
      if (result.outcome === 'known') return result
      if (result.outcome === 'rejected') refused ??= result
      else doubtful ??= result
    }
    return doubtful ?? refused ?? { outcome: 'unknown', message: 'No node of this chain can be trusted now' }
  }

  /** One round: asks every endpoint for its head, distrusted ones too, and compares a settled block. */
  async check(): Promise<void> {
    await Promise.all(this.endpoints.map((endpoint) => this.#look(endpoint)))
    const answering = this.endpoints.filter(({ failure, head }) => failure === null && head !== null)
    const heights = answering.flatMap(({ head }) => head?.height ?? []).sort((left, right) => (left < right ? -1 : 1))
    const middle = heights[Math.floor((heights.length - 1) / 2)]
    const usual = heights.length > 2 ? middle : heights.at(-1)
    if (middle === undefined || usual === undefined) return
    for (const endpoint of answering) endpoint.lagging = usual - (endpoint.head?.height ?? 0n) > LAG_BLOCKS
    const height = middle > this.#deps.settle ? middle - this.#deps.settle : 0n
    for (const [endpoint, reason] of await this.#compare(answering, height)) this.#judge(endpoint, reason)
  }

  health(): readonly EndpointHealth[] {
    return this.endpoints.map(({ name, provider, head, distrust, failure, lagging }) => {
      const headAgeMs = head === null ? null : Math.max(0, Date.now() - head.time * 1000)
      const seen = { name, provider, headAgeMs }
      if (distrust !== null) return { ...seen, state: 'distrusted', reason: distrust }
      if (failure !== null) return { ...seen, state: 'down', reason: failure }
      if (lagging) return { ...seen, state: 'lagging', reason: "Its newest block is behind the others'." }
      return { ...seen, state: 'ok' }
    })
  }

  close(): void {
    for (const { source } of this.endpoints) source.close()
  }

  async #look(endpoint: SourceEndpoint): Promise<void> {
    try {
      endpoint.head = await endpoint.ask((source) => source.tip())
    } catch (error) {
      this.#deps.logger.warn({ endpoint: endpoint.name, err: error }, 'A node did not answer')
    }
  }

  async #compare(endpoints: readonly SourceEndpoint[], height: bigint) {
    const claims = await Promise.all(
      endpoints.map(async (endpoint) => {
        const block = await endpoint.ask((source) => source.blockAt(height)).catch(() => null)
        return block === null ? [] : [{ endpoint, hash: block.hash }]
      }),
    )
    return judgeClaims(claims.flat(), height)
  }

  #judge(endpoint: SourceEndpoint, reason: string | null): void {
    if (endpoint.contradiction === reason) return
    endpoint.contradiction = reason
    const { logger } = this.#deps
    if (reason === null) logger.info({ endpoint: endpoint.name }, 'A node of this chain is trusted again')
    else logger.error({ endpoint: endpoint.name, reason }, 'A node of this chain is not trusted any more')
  }
}

const openSource = (endpoint: RpcEndpoint, settings: SourcePoolDeps['settings'], at: number): BitcoinSource => {
  const deps = { url: endpoint.http, timeoutMs: settings.rpcTimeoutMs, maxBytes: settings.maxAnswerBytes }
  return settings.access[at] === 'core' ? new CoreSource(deps) : new EsploraSource(deps)
}

/** The configured provider, numbered when it runs several endpoints, else the endpoint's place. */
const namesOf = (endpoints: readonly RpcEndpoint[]): readonly string[] =>
  endpoints.map(({ provider }, at) => {
    if (provider === undefined) return `endpoint ${at + 1}`
    const same = endpoints.filter((other) => other.provider === provider)
    const place = endpoints.slice(0, at).filter((other) => other.provider === provider).length
    return same.length === 1 ? provider : `${provider} ${place + 1}`
  })
