import {
  type BlockRef,
  type ChainDeps,
  type JsonRpcClient,
  type RpcEndpoint,
  RpcSubscription,
  type RpcTopic,
  ServiceError,
} from '@causeway/core'
import type { RpcBlock, RpcLog } from '../rpc/wire.js'

/** Newest block known, with what fees are computed from. */
export interface Head extends BlockRef {
  /** Null on chains without EIP-1559. */
  readonly baseFee: bigint | null
}

/** With a live websocket, polling is only the net beneath it. */
const NET_POLL_MS = 5000

/** How long a node that shows less than was seen before is taken to lag. */
export const LAG_GRACE_MS = 5000

export interface HeadSourceDeps {
  readonly rpc: JsonRpcClient
  readonly endpoints: readonly RpcEndpoint[]
  readonly pollIntervalMs: number
  readonly maxHeadAgeSeconds: number
  /** Log filters whose hits wake listeners early. */
  readonly logFilters: readonly object[]
  readonly logger: ChainDeps['logger']
}

export const headOf = (block: RpcBlock): Head => ({
  height: BigInt(block.number),
  hash: block.hash.toLowerCase(),
  time: Number(block.timestamp),
  baseFee: block.baseFeePerGas === undefined ? null : BigInt(block.baseFeePerGas),
})

/** Follows the head of the chain: websockets where there are some, one shared poller otherwise. */
export class HeadSource {
  readonly #deps: HeadSourceDeps
  readonly #listeners = new Set<(head: Head) => void>()
  readonly #wakers = new Set<() => void>()
  readonly #recent = new Map<string, Head>()
  readonly #alive = new Set<RpcSubscription>()
  #subscriptions: RpcSubscription[] = []
  #latest: Head | null = null
  #latestAt = 0
  #lowSince: number | null = null
  #refreshing: Promise<Head> | null = null
  #timer: NodeJS.Timeout | null = null
  #started = false

  constructor(deps: HeadSourceDeps) {
    this.#deps = deps
  }

  /** Newest head seen, without a call. */
  get latest(): Head | null {
    return this.#latest
  }

  start(): void {
    if (this.#started) return
    this.#started = true
    const params = [['newHeads'], ...this.#deps.logFilters.map((filter) => ['logs', filter])]
    const topics = params.map((topic) => ({ method: 'eth_subscribe', params: topic }))
    for (const [at, { ws }] of this.#deps.endpoints.entries()) {
      if (ws !== undefined) this.#subscribe(ws, topics, () => this.#deps.rpc.endpoints[at]?.distrust === null)
    }
    this.#schedule(0)
  }

  stop(): void {
    this.#started = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const subscription of this.#subscriptions) subscription.close()
    this.#subscriptions = []
    this.#alive.clear()
    for (const wake of this.#wakers) wake()
  }

  /** The tip, from memory while it is fresh. Throws SERVICE_UNAVAILABLE when the chain stands still for too long. */
  async tip(): Promise<Head> {
    const fresh = this.#started && (this.#alive.size > 0 || Date.now() - this.#latestAt <= this.#deps.pollIntervalMs)
    const head = fresh && this.#latest !== null ? this.#latest : await this.refresh()
    const limit = this.#deps.maxHeadAgeSeconds
    if (limit > 0 && Date.now() / 1000 - head.time > limit) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain are behind. Try again later.')
    }
    return head
  }

  /** Asks a node; one request however many callers wait. */
  refresh(): Promise<Head> {
    this.#refreshing ??= this.#deps.rpc
      .call<RpcBlock>('eth_getBlockByNumber', ['latest', false])
      .then((block) => this.accept(block))
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
  }

  /** Takes in a header. A lower one is first taken for a lagging node, and believed when nothing higher follows. */
  accept(block: RpcBlock): Head {
    const head = headOf(block)
    this.#remember(head)
    this.#latestAt = Date.now()
    const known = this.#latest
    if (known?.hash === head.hash) {
      this.#lowSince = null
      return head
    }
    if (known !== null && head.height < known.height) {
      this.#lowSince ??= Date.now()
      if (Date.now() - this.#lowSince < LAG_GRACE_MS) return head
    }
    this.#lowSince = null
    this.#latest = head
    for (const listener of this.#listeners) listener(head)
    this.wake()
    return head
  }

  /** A block seen lately, by hash. */
  recent(hash: string): Head | undefined {
    return this.#recent.get(hash.toLowerCase())
  }

  remember(block: RpcBlock): Head {
    const head = headOf(block)
    this.#remember(head)
    return head
  }

  onHead(listener: (head: Head) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  /** Resolves at the next head or log hint, after `timeoutMs`, or when the signal aborts. */
  waitForHint(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wakers.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      this.#wakers.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  wake(): void {
    for (const wake of [...this.#wakers]) wake()
  }

  #remember(head: Head): void {
    this.#recent.set(head.hash, head)
    if (this.#recent.size <= 512) return
    const [oldest] = this.#recent.keys()
    if (oldest !== undefined) this.#recent.delete(oldest)
  }

  #subscribe(url: string, topics: readonly RpcTopic[], isTrusted: () => boolean): void {
    const subscription: RpcSubscription = new RpcSubscription({
      url,
      topics,
      logger: this.#deps.logger,
      onState: (alive) => {
        if (alive) this.#alive.add(subscription)
        else this.#alive.delete(subscription)
      },
      onMessage: (topic, result) => {
        if (!isTrusted()) return
        if (topic === 0) this.accept(result as RpcBlock)
        else if (this.#isNew(result as RpcLog)) this.wake()
      },
    })
    this.#subscriptions.push(subscription)
    subscription.open()
  }

  #isNew(log: RpcLog): boolean {
    return log.removed === true || BigInt(log.blockNumber) >= (this.#latest?.height ?? 0n)
  }

  #schedule(waitMs: number): void {
    if (!this.#started) return
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'The head of the chain could not be read'))
        .finally(() =>
          this.#schedule(
            this.#alive.size > 0 ? Math.max(NET_POLL_MS, this.#deps.pollIntervalMs) : this.#deps.pollIntervalMs,
          ),
        )
    }, waitMs)
  }
}
