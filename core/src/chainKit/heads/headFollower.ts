import type { ChainDeps } from '../../chain/chainPackage.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { HeadBelief } from '../endpoints/monitor/headBelief.js'
import type { HeadPace } from '../endpoints/monitor/headPace.js'

/** While a websocket tells of heads, polling is only the net beneath it. */
const NET_POLL_MS = 5000
/** Least time between readings that announcements cause: a node may announce as much as it likes. */
const ANNOUNCED_MS = 100

export interface HeadFollowerDeps<Head extends BlockRef> {
  /** Asks a node for its newest block. Throws ServiceError. */
  readonly read: () => Promise<Head>
  /** The chain's own, which its endpoints are compared by too. */
  readonly pace: HeadPace
  readonly pollIntervalMs: number
  /** How long a head that was read is the tip without another question; `pollIntervalMs` if absent. */
  readonly freshMs?: number
  /** Age of a head, by its own time, above which the chain is not available; 0 or absent: it may stand still. */
  readonly maxHeadAgeSeconds?: number
  /** Whether a websocket that tells of heads is open. One that is open and silent is asked around all the same. */
  readonly isLive?: () => boolean
  /** What becomes `latest` of a head that is believed, given the one before: for what rides along with heads and must not go back. */
  readonly merge?: (head: Head, known: Head | null) => Head
  readonly logger: ChainDeps['logger']
}

/**
 * Follows the head of a chain: polls it, takes in what websockets tell, and does not believe every head that a node shows (`HeadBelief`,
 * faults.md F131). It serves `tip` and `onHead` of an adapter. What a chain knows besides of its head is part of `Head`.
 */
export class HeadFollower<Head extends BlockRef> {
  readonly #deps: HeadFollowerDeps<Head>
  readonly #belief: HeadBelief
  readonly #listeners = new Set<(head: Head) => void>()
  #latest: Head | null = null
  #latestAt = Number.NEGATIVE_INFINITY
  #polledAt = Number.NEGATIVE_INFINITY
  #toldAt = Number.NEGATIVE_INFINITY
  #refreshing: Promise<Head> | null = null
  /** A block was announced while a node was being asked, whose answer may be older, or too soon after the last one. */
  #again = false
  #pause: NodeJS.Timeout | null = null
  #timer: NodeJS.Timeout | null = null
  #started = false

  constructor(deps: HeadFollowerDeps<Head>) {
    this.#deps = deps
    this.#belief = new HeadBelief(deps.pace)
  }

  /** Newest head that was believed, without a question; null before there was one. */
  get latest(): Head | null {
    return this.#latest
  }

  /** Whether `latest` may be told without a question. Nothing is, while nobody follows. */
  get isFresh(): boolean {
    if (!this.#started || this.#latest === null) return false
    const { freshMs = this.#deps.pollIntervalMs } = this.#deps
    return performance.now() - this.#latestAt <= (this.isTold ? NET_POLL_MS : freshMs)
  }

  /** Whether websockets tell of heads as they come: one that says nothing for twice the usual time is no help (F131). */
  get isTold(): boolean {
    const { pace, pollIntervalMs, isLive } = this.#deps
    const patience = Math.min(NET_POLL_MS, Math.max(pollIntervalMs, 2 * pace.usualMs))
    return isLive?.() === true && performance.now() - this.#toldAt <= patience
  }

  start(): void {
    if (this.#started) return
    this.#started = true
    this.#schedule(0)
  }

  stop(): void {
    this.#started = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = null
  }

  /** The tip, from memory while it is fresh. Throws ServiceError: SERVICE_UNAVAILABLE when the chain stands still for too long. */
  async tip(): Promise<Head> {
    const head = this.isFresh && this.#latest !== null ? this.#latest : await this.refresh()
    const { maxHeadAgeSeconds: limit = 0 } = this.#deps
    if (limit > 0 && Date.now() / 1000 - head.time > limit) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain are behind. Try again later.')
    }
    return head
  }

  /** Asks a node: one question however many callers wait. Throws ServiceError. */
  refresh(): Promise<Head> {
    this.#refreshing ??= this.#deps
      .read()
      .then((head) => this.accept(head))
      .finally(() => {
        this.#refreshing = null
      })
    return this.#refreshing
  }

  /**
   * Takes in a head that a node showed. One that is not believed changes nothing: of an invented one the known head comes back, a
   * lower one is given back as what that node sees.
   */
  accept(head: Head): Head {
    const known = this.#latest
    const isTaken = this.#belief.takes(head.height, known?.height ?? null)
    if (!isTaken && known !== null && head.height > known.height) return known
    this.#latestAt = performance.now()
    if (!isTaken) return head
    const latest = this.#deps.merge?.(head, known) ?? head
    this.#latest = latest
    if (known?.hash === head.hash && known.height === head.height) return latest
    for (const listener of this.#listeners) listener(latest)
    return latest
  }

  /** A websocket brought a head; one that is not believed is as good as silence. */
  push(head: Head): void {
    this.accept(head)
    if (this.#latest?.hash === head.hash) this.#toldAt = performance.now()
  }

  /** A websocket told that there is a new head: one reading at a time, and one more for all that is told meanwhile. */
  announce(): void {
    this.#toldAt = performance.now()
    this.#readAgain()
  }

  /** Calls `listener` with each new head until the signal aborts; without one, for ever. */
  onHead(listener: (head: Head) => void, signal?: AbortSignal): void {
    if (signal?.aborted === true) return
    this.#listeners.add(listener)
    signal?.addEventListener('abort', () => this.#listeners.delete(listener), { once: true })
  }

  #readAgain(): void {
    this.#again = this.#refreshing !== null || this.#pause !== null
    if (this.#again) return
    this.#pause = setTimeout(() => {
      this.#pause = null
      this.#readAnnounced()
    }, ANNOUNCED_MS)
    this.refresh()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => this.#readAnnounced())
  }

  #readAnnounced(): void {
    if (this.#again && this.#started) this.#readAgain()
  }

  #schedule(waitMs: number): void {
    if (!this.#started) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#poll()
        .catch((error: unknown) => this.#warn(error))
        .finally(() => this.#schedule(this.#deps.pollIntervalMs))
    }, waitMs)
  }

  async #poll(): Promise<void> {
    const net = Math.max(NET_POLL_MS, this.#deps.pollIntervalMs)
    if (this.isTold && performance.now() - this.#polledAt < net) return
    this.#polledAt = performance.now()
    await this.refresh()
  }

  /** What was under way when it was stopped fails with the endpoints, which says nothing about the chain. */
  #warn(error: unknown): void {
    if (!this.#started) return
    this.#deps.logger.warn({ err: error }, 'The head of the chain could not be read')
  }
}
