import { RecentMap } from '../../cache/recentMap.js'
import type { Clock } from '../../clock/clock.js'
import { withinTime } from '../../clock/withinTime.js'
import type { Currency } from '../currency/currency.js'
import type { PriceAnswer, PricePace, PriceSource } from './priceSource.js'

export interface PriceFeedDeps {
  readonly source: PriceSource
  readonly clock: Clock
  /** Pace of a source that states none. */
  readonly pace: PricePace
  /** Called for the first failure in a row, and for each one with another message than the one before. */
  readonly onError?: ((source: string, error: unknown) => void) | undefined
}

interface Entry {
  readonly currency: Currency
  answer: PriceAnswer
  /** Business time of the last answer. */
  askedAt: number
  /** Not asked again before this, by `performance.now`. */
  retryAt: number
  /** When a caller last wanted it, by `performance.now`. */
  wantedAt: number
  /** The request under way; never rejects. */
  asking: Promise<void> | null
}

/** More than any list of currencies; a bound for prices asked for one by one. */
const MAX_KEPT = 10_000
/** Currencies nobody has listed are fetched ahead for as long after they were wanted. */
const WANTED_MS = 600_000
const MAX_BACKOFF_MS = 15_000

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

/**
 * One price source with its last answers. What is asked for in the same turn goes out in one request; a currency is never
 * asked about twice at the same time. A source that failed is left alone for a while, and its last answers stand until
 * whoever uses them finds them too old.
 */
export class PriceFeed {
  readonly name: string
  readonly #deps: PriceFeedDeps
  readonly #pace: PricePace
  readonly #entries = new RecentMap<string, Entry>(MAX_KEPT)
  #gathered: Map<string, Entry> | null = null
  #sending: Promise<void> = Promise.resolve()
  #failures = 0
  /** Message of the failure that was told last; null while it answers. */
  #told: string | null = null
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(deps: PriceFeedDeps) {
    this.#deps = deps
    this.name = deps.source.name
    this.#pace = deps.source.pace ?? deps.pace
  }

  /** Whether the last request failed. Nobody needs to wait for such a source while others suffice. */
  get isDown(): boolean {
    return this.#failures > 0
  }

  /** The last answer; `unavailable` before there is one. */
  answer(currency: Currency): PriceAnswer {
    const entry = this.#entries.get(keyOf(currency))
    return entry === undefined ? 'unavailable' : entry.answer
  }

  /**
   * Asks for what has passed half its life. The promise ends when what is past its life was answered or the source failed;
   * null when there is nothing to wait for.
   */
  refresh(currencies: readonly Currency[]): Promise<unknown> | null {
    const waits: Promise<void>[] = []
    for (const currency of currencies) {
      const entry = this.#touch(currency)
      const asking = this.#askWhenDue(entry)
      if (asking !== null && this.#age(entry) >= this.#pace.keepMs) waits.push(asking)
    }
    return waits.length === 0 ? null : Promise.all(waits)
  }

  /** Fetches ahead what is listed and what was wanted of late; nothing for sources that cost nothing to ask. */
  keepFresh(listed: readonly Currency[]): void {
    if (this.#deps.source.pace === undefined) return
    for (const currency of listed) void this.#askWhenDue(this.#entryOf(currency))
    const since = performance.now() - WANTED_MS
    for (const entry of this.#entries.values()) {
      if (entry.wantedAt > since && entry.answer !== null) void this.#askWhenDue(entry)
    }
  }

  /** The last answer was of no use: whoever wants the currency next has it asked for again. */
  expire(currency: Currency): void {
    const entry = this.#entries.get(keyOf(currency))
    if (entry !== undefined) entry.askedAt = Number.NEGATIVE_INFINITY
  }

  // Age by distance: a business clock that was set back must not make an answer last.
  #age({ askedAt }: Entry): number {
    return Math.abs(this.#deps.clock.now() - askedAt)
  }

  #entryOf(currency: Currency): Entry {
    const known = this.#entries.get(keyOf(currency))
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const entry: Entry = {
      currency,
      answer: 'unavailable',
      askedAt: never,
      retryAt: never,
      wantedAt: never,
      asking: null,
    }
    this.#entries.set(keyOf(currency), entry)
    return entry
  }

  #touch(currency: Currency): Entry {
    const entry = this.#entryOf(currency)
    entry.wantedAt = performance.now()
    this.#entries.set(keyOf(currency), entry)
    return entry
  }

  #askWhenDue(entry: Entry): Promise<void> | null {
    if (entry.asking !== null) return entry.asking
    if (this.#age(entry) < this.#pace.keepMs / 2) return null
    if (performance.now() < Math.max(entry.retryAt, this.#retryAt)) return null
    if (this.#gathered === null) {
      this.#gathered = new Map()
      this.#sending = this.#send()
    }
    this.#gathered.set(keyOf(entry.currency), entry)
    entry.asking = this.#sending
    return entry.asking
  }

  async #send(): Promise<void> {
    await Promise.resolve()
    const entries = [...(this.#gathered?.values() ?? [])]
    this.#gathered = null
    try {
      const currencies = entries.map(({ currency }) => currency)
      const answers = await withinTime(this.#pace.timeoutMs, (signal) =>
        this.#deps.source.getPrices(currencies, signal),
      )
      this.#failures = 0
      this.#told = null
      this.#retryAt = Number.NEGATIVE_INFINITY
      const now = this.#deps.clock.now()
      entries.forEach((entry, at) => {
        const answer = answers[at]
        entry.answer = answer === undefined ? 'unavailable' : answer
        entry.askedAt = now
        entry.retryAt = performance.now() + this.#pace.retryMs
      })
    } catch (error) {
      this.#fail(error)
    } finally {
      for (const entry of entries) entry.asking = null
    }
  }

  #fail(error: unknown): void {
    const wait = Math.min(this.#pace.retryMs * 2 ** this.#failures, MAX_BACKOFF_MS)
    this.#failures = Math.min(this.#failures + 1, 16)
    this.#retryAt = performance.now() + wait
    const message = error instanceof Error ? error.message : String(error)
    if (message === this.#told) return
    this.#told = message
    this.#deps.onError?.(this.name, error)
  }
}
