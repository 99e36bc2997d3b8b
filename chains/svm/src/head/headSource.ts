import {
  type BlockRef,
  type ChainDeps,
  type JsonRpcClient,
  type RpcEndpoint,
  type RpcOutcome,
  RpcSubscription,
  resultOf,
  ServiceError,
} from '@causeway/core'
import { clockCall, readClock } from '../rpc/clock.js'
import {
  epochCall,
  latestBlockhashCall,
  type RpcAccount,
  type RpcContext,
  type RpcEpochInfo,
  type RpcLatestBlockhash,
} from '../rpc/wire.js'
import { BlockReader } from './blockReader.js'

/** Newest confirmed block; `height` is its slot. */
export interface Head extends BlockRef {
  /** Blocks below it, which the validity of a blockhash is counted in. */
  readonly blockHeight: bigint
}

export interface Finalized {
  readonly slot: bigint
  readonly blockHeight: bigint
}

/** A blockhash and the last block height at which a transaction that names it can be included. */
export interface RecentBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: number
}

/** With a live websocket, polling is only the net beneath it. */
const NET_POLL_MS = 5000

/** How long a node that shows less than was seen before is taken to lag. */
export const LAG_GRACE_MS = 5000

/** Block heights for which a blockhash is valid. */
const BLOCKHASH_BLOCKS = 150n

/** How old a blockhash that a transaction is built with may be. */
const BLOCKHASH_MS = 2000

export interface HeadSourceDeps {
  readonly rpc: JsonRpcClient
  readonly endpoints: readonly RpcEndpoint[]
  readonly pollIntervalMs: number
  readonly maxHeadAgeSeconds: number
  readonly logger: ChainDeps['logger']
}

interface Round {
  readonly head: Head
  readonly finalized: Finalized
  readonly recent: RecentBlockhash
}

/** Follows the head of the chain in one request per look: websockets say when to look, a shared poller otherwise. */
export class HeadSource {
  readonly #deps: HeadSourceDeps
  readonly #blocks: BlockReader
  readonly #listeners = new Set<(head: Head) => void>()
  readonly #wakers = new Set<() => void>()
  readonly #alive = new Set<RpcSubscription>()
  #subscriptions: RpcSubscription[] = []
  #latest: Head | null = null
  #finalized: Finalized | null = null
  #recent: RecentBlockhash | null = null
  #recentAt = 0
  #latestAt = 0
  #lowSince: number | null = null
  #hints = 0
  #refreshing: Promise<Head> | null = null
  #again = false
  #timer: NodeJS.Timeout | null = null
  #started = false

  constructor(deps: HeadSourceDeps) {
    this.#deps = deps
    this.#blocks = new BlockReader(deps.rpc)
  }

  /** Newest head seen, without a call. */
  get latest(): Head | null {
    return this.#latest
  }

  /** How often something said that a watched address moved; it grows with each hint. */
  get hints(): number {
    return this.#hints
  }

  /** `mentions`: addresses whose transactions wake listeners early, where there is a websocket. */
  start(mentions: readonly string[] = []): void {
    if (this.#started) return
    this.#started = true
    for (const [at, { ws }] of this.#deps.endpoints.entries()) {
      if (ws !== undefined) this.#subscribe(ws, mentions, () => this.#deps.rpc.endpoints[at]?.distrust === null)
    }
    this.#schedule(0)
  }

  stop(): void {
    this.#started = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const subscription of this.#subscriptions) subscription.close()
    this.#subscriptions = []
    this.#alive.clear()
    this.#wakeAll()
  }

  /** The tip, from memory while it is fresh. Throws SERVICE_UNAVAILABLE when the chain stands still for too long. */
  async tip(): Promise<Head> {
    const head = this.#isFresh() && this.#latest !== null ? this.#latest : await this.refresh()
    const limit = this.#deps.maxHeadAgeSeconds
    if (limit > 0 && Date.now() / 1000 - head.time > limit) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain are behind. Try again later.')
    }
    return head
  }

  /** Newest finalized slot with its block height, as fresh as the tip. */
  async finalized(): Promise<Finalized> {
    if (!this.#isFresh() || this.#finalized === null) await this.refresh()
    if (this.#finalized === null) throw new ServiceError('RPC_HTTP_ERROR', 'The head of this chain is not known yet.')
    return this.#finalized
  }

  /** A confirmed blockhash, at most two seconds old. */
  async blockhash(): Promise<RecentBlockhash> {
    if (this.#recent === null || Date.now() - this.#recentAt > BLOCKHASH_MS) await this.refresh()
    if (this.#recent === null) throw new ServiceError('RPC_HTTP_ERROR', 'The head of this chain is not known yet.')
    return this.#recent
  }

  /** Blocks of slots, in one request; a slot without a block is absent. */
  blockOf(slots: readonly bigint[]): Promise<ReadonlyMap<bigint, BlockRef>> {
    return this.#blocks.read(slots, this.#finalized?.slot ?? -1n)
  }

  /** Asks a node; one request however many callers wait. */
  refresh(): Promise<Head> {
    this.#refreshing ??= this.#read()
      .then((round) => this.#accept(round))
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
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

  /** Something may have happened: whoever waits looks now. */
  wake(): void {
    this.#hints += 1
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const wake of [...this.#wakers]) wake()
  }

  #isFresh(): boolean {
    if (!this.#started) return false
    return Date.now() - this.#latestAt <= (this.#alive.size > 0 ? NET_POLL_MS : this.#deps.pollIntervalMs)
  }

  async #read(): Promise<Round> {
    const [latest, clock, epoch] = await this.#deps.rpc.batch([
      latestBlockhashCall('confirmed'),
      clockCall('confirmed'),
      epochCall('finalized'),
    ])
    const { context, value } = resultOf<RpcContext<RpcLatestBlockhash>>(latest, 'getLatestBlockhash')
    const { absoluteSlot, blockHeight } = resultOf<RpcEpochInfo>(epoch, 'getEpochInfo')
    return {
      head: {
        height: BigInt(context.slot),
        hash: value.blockhash,
        time: await this.#timeOf(context.slot, clock),
        blockHeight: BigInt(value.lastValidBlockHeight) - BLOCKHASH_BLOCKS,
      },
      finalized: { slot: BigInt(absoluteSlot), blockHeight: BigInt(blockHeight) },
      recent: value,
    }
  }

  async #timeOf(slot: number, clock: RpcOutcome | undefined): Promise<number> {
    const time = clock?.ok ? readClock(clock.result as RpcContext<RpcAccount | null>) : null
    return time ?? (await this.#deps.rpc.call<number | null>('getBlockTime', [slot])) ?? 0
  }

  /** A lower head is first taken for a lagging node, and believed when nothing higher follows. */
  #accept({ head, finalized, recent }: Round): Head {
    this.#latestAt = Date.now()
    const known = this.#latest
    if (known !== null && head.height < known.height) {
      this.#lowSince ??= Date.now()
      if (Date.now() - this.#lowSince < LAG_GRACE_MS) return head
    }
    this.#lowSince = null
    this.#recent = recent
    this.#recentAt = Date.now()
    if (this.#finalized === null || finalized.slot > this.#finalized.slot) this.#finalized = finalized
    if (known?.hash === head.hash && known.height === head.height) return known
    this.#latest = head
    for (const listener of this.#listeners) listener(head)
    this.#wakeAll()
    return head
  }

  #subscribe(url: string, mentions: readonly string[], isTrusted: () => boolean): void {
    const logs = mentions.map((address) => ({
      method: 'logsSubscribe',
      params: [{ mentions: [address] }, { commitment: 'confirmed' }],
    }))
    const subscription: RpcSubscription = new RpcSubscription({
      url,
      topics: [{ method: 'slotSubscribe', params: [] }, ...logs],
      logger: this.#deps.logger,
      onState: (alive) => {
        if (alive) this.#alive.add(subscription)
        else this.#alive.delete(subscription)
      },
      onMessage: (topic) => {
        if (!isTrusted()) return
        if (topic === 0) this.#lookAgain()
        else this.wake()
      },
    })
    this.#subscriptions.push(subscription)
    subscription.open()
  }

  /** One look at a time; slots announced meanwhile cause one more. */
  #lookAgain(): void {
    if (this.#refreshing !== null) {
      this.#again = true
      return
    }
    this.#again = false
    this.refresh()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        if (this.#again && this.#started) this.#lookAgain()
      })
  }

  #warn(error: unknown): void {
    this.#deps.logger.warn({ err: error }, 'The head of the chain could not be read')
  }

  #schedule(waitMs: number): void {
    if (!this.#started) return
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch((error: unknown) => this.#warn(error))
        .finally(() =>
          this.#schedule(
            this.#alive.size > 0 ? Math.max(NET_POLL_MS, this.#deps.pollIntervalMs) : this.#deps.pollIntervalMs,
          ),
        )
    }, waitMs)
  }
}
