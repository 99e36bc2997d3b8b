import { type ChainDeps, type EndpointHealth, type JsonRpcEndpoint, ServiceError } from '@causeway/core'
import type { LedgerNode } from './ledgerNode.js'
import type { LedgerBlock } from './transaction.js'

/** How many blocks a node may be behind the best one. */
const LAG_BLOCKS = 5
const LAGGING = 'Its newest block is far behind that of the others.'

/** Compares the endpoints with each other, again and again, and keeps those out that are behind. */
export class EndpointWatch {
  readonly #node: LedgerNode
  readonly #intervalMs: number
  readonly #logger: ChainDeps['logger']
  readonly #heads = new Map<JsonRpcEndpoint, LedgerBlock>()
  #timer: NodeJS.Timeout | null = null
  #running = false

  constructor(deps: { readonly node: LedgerNode; readonly intervalMs: number; readonly logger: ChainDeps['logger'] }) {
    this.#node = deps.node
    this.#intervalMs = deps.intervalMs
    this.#logger = deps.logger
  }

  /** First round. Throws ServiceError when no endpoint is usable. */
  async start(): Promise<void> {
    this.#running = true
    const failures = await this.#round()
    if (failures.length === this.#node.rpc.endpoints.length) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'No node of this ledger is usable.', { cause: failures[0] })
    }
    this.#schedule()
  }

  stop(): void {
    this.#running = false
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  health(): readonly EndpointHealth[] {
    return this.#node.rpc.endpoints.map((endpoint) => {
      const time = this.#heads.get(endpoint)?.time ?? null
      const headAgeMs = time === null ? null : Math.max(0, Date.now() - time * 1000)
      const { name, provider, failure, distrust } = endpoint
      if (failure !== null) return { name, provider, state: 'down', headAgeMs, reason: failure }
      if (distrust !== null) return { name, provider, state: 'lagging', headAgeMs, reason: distrust }
      return { name, provider, state: 'ok', headAgeMs }
    })
  }

  async #round(): Promise<readonly unknown[]> {
    const { endpoints } = this.#node.rpc
    const heads = await Promise.allSettled(endpoints.map((endpoint) => this.#node.head(endpoint)))
    const heights = heads.map((head) => (head.status === 'fulfilled' ? head.value.height : -1))
    const best = Math.max(...heights)
    for (const [at, endpoint] of endpoints.entries()) {
      const head = heads[at]
      if (head?.status !== 'fulfilled') continue
      this.#heads.set(endpoint, head.value)
      const lags = best - head.value.height > LAG_BLOCKS
      if (lags && endpoint.distrust === null) this.#logger.warn({ endpoint: endpoint.name }, LAGGING)
      endpoint.setDistrust(lags ? LAGGING : null)
    }
    return heads.flatMap((head) => (head.status === 'rejected' ? [head.reason] : []))
  }

  #schedule(): void {
    if (!this.#running) return
    this.#timer = setTimeout(() => void this.#round().finally(() => this.#schedule()), this.#intervalMs)
  }
}
