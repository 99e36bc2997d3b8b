import type { Clock } from '../../clock/clock.js'
import { pause } from '../../database/leases.js'
import { ServiceError } from '../../errors/serviceError.js'
import { BPS } from '../bps.js'
import type { Currency } from '../currency/currency.js'
import { PriceFeed } from './priceFeed.js'
import type { Price, PriceAnswer, PriceSource, Prices } from './priceSource.js'

export interface CheckedPricesDeps {
  readonly sources: readonly PriceSource[]
  /** Makes a source that computes prices from those of `sources`, for example from pools of an exchange. */
  readonly derived?: readonly ((prices: Prices) => PriceSource)[]
  readonly clock: Clock
  /** Prices observed longer ago are not used; default 5 minutes. */
  readonly maxAgeMs?: number
  /** Two sources this far apart, or more, make the price unusable; default 3000 (30 %). */
  readonly maxDeviationBps?: number
  /** How many sources must have a fresh price; default 2, or 1 for a currency that only one source knows. */
  readonly minimumSources?: number | undefined
  /** How long an answer of a source without a pace of its own is used; default 5 seconds. */
  readonly ttlMs?: number
  /** Called when a source begins to fail, or fails otherwise than before; the error may hold addresses, so it stays in the log. */
  readonly onSourceError?: (source: string, error: unknown) => void
}

const DEFAULT_TIMEOUT_MS = 2_000
const KEEP_FRESH_MS = 1_000

const unavailable = ({ symbol }: Currency, why: string): ServiceError =>
  new ServiceError('PRICE_FETCH_FAILED', `The price of ${symbol} ${why}. Try again.`)

const isPrice = (answer: PriceAnswer): answer is Price => answer !== null && answer !== 'unavailable'

const byUsd = (a: Price, b: Price): number => (a.usd < b.usd ? -1 : a.usd > b.usd ? 1 : 0)

/**
 * Asks every price source and lets through only what can be trusted (faults.md F79): a price that is zero, negative, too
 * old, that too few sources have, or that two of them report too far apart is refused with `PRICE_FETCH_FAILED`, so no
 * quote is ever made on it. With several good answers the lower median counts. A currency no source knows is
 * `UNSUPPORTED_CURRENCY`.
 *
 * `get` answers from what the sources said before where that is still good; otherwise it waits for all of them, each at
 * most for its own time limit. A source whose last request failed is not waited for while the others suffice, so one that
 * hangs costs that time once. `run` fetches ahead, so that a quote in a listed currency finds every price there.
 */
export class CheckedPrices implements Prices {
  readonly #clock: Clock
  readonly #sources: readonly PriceFeed[]
  readonly #feeds: readonly PriceFeed[]
  readonly #maxAgeMs: number
  readonly #maxDeviationBps: bigint
  readonly #minimumSources: number | null

  constructor(deps: CheckedPricesDeps) {
    this.#clock = deps.clock
    this.#maxAgeMs = deps.maxAgeMs ?? 300_000
    this.#maxDeviationBps = BigInt(deps.maxDeviationBps ?? 3000)
    this.#minimumSources = deps.minimumSources ?? null
    const pace = { keepMs: deps.ttlMs ?? 5000, retryMs: 0, timeoutMs: DEFAULT_TIMEOUT_MS }
    const feedOf = (source: PriceSource): PriceFeed =>
      new PriceFeed({ source, clock: deps.clock, pace, onError: deps.onSourceError })
    this.#sources = deps.sources.map(feedOf)
    const ofSources: Prices = { get: (currencies) => this.#get(currencies, this.#sources) }
    this.#feeds = [...this.#sources, ...(deps.derived ?? []).map((make) => feedOf(make(ofSources)))]
  }

  get(currencies: readonly Currency[]): Promise<readonly Price[]> {
    return this.#get(currencies, this.#feeds)
  }

  /** Fetches ahead, until aborted, the prices of `listed` and of what was asked for in the last minutes. */
  async run(listed: readonly Currency[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const feed of this.#feeds) feed.keepFresh(listed)
      await pause(KEEP_FRESH_MS, signal)
    }
  }

  async #get(currencies: readonly Currency[], feeds: readonly PriceFeed[]): Promise<readonly Price[]> {
    const asked = feeds.map((feed) => ({ isDown: feed.isDown, wait: feed.refresh(currencies) }))
    const waitFor = (down: boolean): Promise<unknown> =>
      Promise.all(asked.flatMap(({ isDown, wait }) => (isDown === down && wait !== null ? [wait] : [])))
    await waitFor(false)
    if (currencies.some((currency) => ServiceError.is(this.#judge(currency, feeds)))) await waitFor(true)
    const found = currencies.map((currency) => this.#judge(currency, feeds))
    currencies.forEach((currency, at) => {
      // A refusal is not kept: the next call asks again.
      if (ServiceError.is(found[at])) for (const feed of feeds) feed.expire(currency)
    })
    return found.map((price) => {
      if (ServiceError.is(price)) throw price
      return price
    })
  }

  #judge(currency: Currency, feeds: readonly PriceFeed[]): Price | ServiceError {
    const answers = feeds.map((feed) => feed.answer(currency))
    if (answers.every((answer) => answer === null)) {
      return new ServiceError('UNSUPPORTED_CURRENCY', `${currency.symbol} has no price here, so it cannot be quoted.`)
    }
    const now = this.#clock.now()
    const known = answers.filter(isPrice)
    const fresh = known.filter(({ observedAt }) => Math.abs(now - observedAt) <= this.#maxAgeMs).sort(byUsd)
    if (known.length === 0) return unavailable(currency, 'cannot be had now')
    if (fresh.length === 0) return unavailable(currency, 'is too old')
    // One that is away may know the currency: that it does not, it must have said.
    const needed = this.#minimumSources ?? Math.min(2, answers.filter((answer) => answer !== null).length)
    if (fresh.length < needed) return unavailable(currency, 'is known to too few sources now')
    return this.#middleOf(fresh) ?? unavailable(currency, 'is not usable, or differs too much between sources')
  }

  /** Null where one of the prices, in rising order, spoils them all. */
  #middleOf(ordered: readonly Price[]): Price | null {
    const lowest = ordered[0]
    const highest = ordered[ordered.length - 1]
    const middle = ordered[(ordered.length - 1) >> 1]
    if (lowest === undefined || highest === undefined || middle === undefined || lowest.usd <= 0n) return null
    const apart = ordered.length > 1 && (highest.usd - lowest.usd) * BPS >= lowest.usd * this.#maxDeviationBps
    if (apart) return null
    return ordered.length > 1 ? { ...middle, range: { low: lowest.usd, high: highest.usd } } : middle
  }
}
