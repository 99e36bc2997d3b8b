import type { Hex } from '@causeway/core'
import {
  compareCursors,
  type Notifier,
  type OutboxCursor,
  type OutboxEvent,
  type OutboxReader,
  OutboxWakes,
} from '@causeway/core/plugin'

/** What a subscription is to: one request, or all requests of a key. */
export type Topic = `request ${Hex}` | `key ${string}`

export interface FeedListener {
  tell(event: OutboxEvent): void
}

export interface EventFeedDeps {
  readonly reader: OutboxReader
  readonly notifier: Notifier
}

const BATCH = 500
/** Events kept for those who come back after a short absence. */
const RECENT = 2_000
/** Characters told to a listener at once when it joins; a longer history waits for its client. */
const MOST_AT_ONCE = 32_768

const topicsOf = ({ requestId, apiKeyId }: OutboxEvent): readonly Topic[] =>
  apiKeyId === null ? [`request ${requestId}`] : [`request ${requestId}`, `key ${apiKeyId}`]

/**
 * The one reader of the outbox in a process, and who hears of what. It rests while nobody listens. `position` is the place up
 * to which every listener was told: who starts to listen reads what lies before it elsewhere.
 */
export class EventFeed {
  readonly #deps: EventFeedDeps
  /** Who hears of a topic, and from where on. */
  readonly #listeners = new Map<Topic, Map<FeedListener, OutboxCursor>>()
  #holds = 0
  #position: OutboxCursor | null = null
  /** Every event after `#floor` up to `#position`. */
  #recent: OutboxEvent[] = []
  #floor: OutboxCursor | null = null
  #progressAt = 0
  /** Called, and emptied, when the position moves or somebody is needed. */
  #waiting: (() => void)[] = []

  constructor(deps: EventFeedDeps) {
    this.#deps = deps
  }

  /** Place up to which listeners were told; null while nothing is read. */
  get position(): OutboxCursor | null {
    return this.#position
  }

  /** How long it has been unable to tell what there is to tell, milliseconds. */
  silentFor(now: number): number {
    return this.#needed() ? now - this.#progressAt : 0
  }

  /** Keeps the feed reading until the function returned is called: for who is about to listen. */
  hold(): () => void {
    if (!this.#needed()) this.#progressAt = performance.now()
    this.#holds += 1
    this.#wakeAll()
    let held = true
    return () => {
      if (held) this.#holds -= 1
      held = false
    }
  }

  /** The position once it is at `least` or later; needs a hold. Null when that takes longer than `milliseconds`. */
  async reached(least: OutboxCursor | null, milliseconds: number): Promise<OutboxCursor | null> {
    const until = performance.now() + milliseconds
    for (;;) {
      const at = this.#position
      if (at !== null && (least === null || compareCursors(at, least) >= 0)) return at
      const left = until - performance.now()
      if (left <= 0) return null
      await this.#nextMove(left)
    }
  }

  /**
   * Tells the listener what came on the topic after `from`, and from now on everything, with no gap and nothing twice, not even what
   * came on another of its topics meanwhile. False, and nothing done, where some of it is no longer kept here, or there is much of it: read it from the database first.
   */
  join(topic: Topic, from: OutboxCursor, listener: FeedListener): boolean {
    if (this.#floor === null || compareCursors(from, this.#floor) < 0) return false
    const missed = this.#recent.filter(
      (event) =>
        compareCursors(event.cursor, from) > 0 && topicsOf(event).includes(topic) && !this.#heard(event, listener),
    )
    const characters = missed.reduce((sum, { payload }) => sum + payload.length, 0)
    if (missed.length > 1 && characters > MOST_AT_ONCE) return false
    const listeners = this.#listeners.get(topic) ?? new Map<FeedListener, OutboxCursor>()
    this.#listeners.set(topic, listeners.set(listener, from))
    for (const event of missed) listener.tell(event)
    return true
  }

  leave(topic: Topic, listener: FeedListener): void {
    const listeners = this.#listeners.get(topic)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#listeners.delete(topic)
  }

  /** Reads until the signal aborts. After a failure another run goes on where this one was. */
  async run(signal: AbortSignal): Promise<void> {
    const wakes = new OutboxWakes({ notifier: this.#deps.notifier, signal })
    const stop = () => this.#wakeAll()
    signal.addEventListener('abort', stop)
    try {
      while (!signal.aborted) {
        if (this.#needed()) await this.#read(wakes)
        else await this.#rest()
      }
    } finally {
      signal.removeEventListener('abort', stop)
      wakes.end()
    }
  }

  async #read(wakes: OutboxWakes): Promise<void> {
    wakes.heard()
    const at = this.#position ?? (await this.#begin())
    const { events, full, end, unsettled } = await this.#deps.reader.after(at, BATCH)
    // Events that are held back for long are as good as none: their clients must learn that they hear nothing.
    if (events.length > 0 || !unsettled) this.#progressAt = performance.now()
    this.#take(events)
    // Also where nothing came: a client may come from another host that looked later.
    this.#position = end
    this.#wakeAll()
    if (!full) await wakes.wait(unsettled)
  }

  #needed(): boolean {
    return this.#holds > 0 || this.#listeners.size > 0
  }

  async #begin(): Promise<OutboxCursor> {
    const at = await this.#deps.reader.end()
    this.#position = at
    this.#floor = at
    this.#wakeAll()
    return at
  }

  /** Forgets everything and waits until somebody is about to listen. */
  async #rest(): Promise<void> {
    this.#position = null
    this.#floor = null
    this.#recent = []
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #take(events: readonly OutboxEvent[]): void {
    for (const event of events) {
      this.#recent.push(event)
      this.#position = event.cursor
      for (const listener of this.#listenersOf(event)) listener.tell(event)
    }
    if (this.#recent.length > 2 * RECENT) {
      this.#floor = this.#recent.at(-RECENT - 1)?.cursor ?? this.#floor
      this.#recent = this.#recent.slice(-RECENT)
    }
  }

  /** Each listener once, however many of its topics an event is of. */
  #listenersOf(event: OutboxEvent): Iterable<FeedListener> {
    return new Set(topicsOf(event).flatMap((topic) => [...(this.#listeners.get(topic)?.keys() ?? [])]))
  }

  /** Whether the listener was told of an event that was read, by any of its topics. */
  #heard(event: OutboxEvent, listener: FeedListener): boolean {
    return topicsOf(event).some((topic) => {
      const from = this.#listeners.get(topic)?.get(listener)
      return from !== undefined && compareCursors(event.cursor, from) > 0
    })
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #nextMove(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
