import type { Clock } from '../clock/clock.js'
import { ServiceError } from '../errors/serviceError.js'
import { BPS } from './bps.js'
import type { Currency } from './currency.js'
import type { Price, PriceSource, Prices } from './priceSource.js'

export interface CheckedPricesDeps {
  readonly sources: readonly PriceSource[]
  readonly clock: Clock
  /** Prices observed longer ago are not used; default 5 minutes. */
  readonly maxAgeMs?: number
  /** Two sources this far apart, or more, make the price unusable; default 3000 (30 %). */
  readonly maxDeviationBps?: number
  /** How long a checked price is given out again; default 5 seconds. */
  readonly ttlMs?: number
  /** Told of each source that failed; its error may hold addresses, so it stays in the log. */
  readonly onSourceError?: (source: string, error: unknown) => void
}

interface Kept {
  readonly price: Promise<Price>
  readonly askedAt: number
}

/** More than any list of currencies; a bound for prices asked for one by one. */
const MAX_KEPT = 10_000

const keyOf = ({ chainId, address }: Currency): string => `${chainId}:${address}`

const unavailable = ({ symbol }: Currency, why: string): ServiceError =>
  new ServiceError('PRICE_FETCH_FAILED', `The price of ${symbol} ${why}. Try again.`)

/**
 * Asks every price source and lets through only what can be trusted (faults.md F79): a price that is zero, negative, too
 * old, or that two sources report too far apart is refused with `PRICE_FETCH_FAILED`, so no quote is ever made on it.
 * With several good answers the lower median counts. A currency no source knows is `UNSUPPORTED_CURRENCY`.
 */
export class CheckedPrices implements Prices {
  readonly #deps: CheckedPricesDeps
  readonly #maxAgeMs: number
  readonly #maxDeviationBps: bigint
  readonly #ttlMs: number
  readonly #kept = new Map<string, Kept>()

  constructor(deps: CheckedPricesDeps) {
    this.#deps = deps
    this.#maxAgeMs = deps.maxAgeMs ?? 300_000
    this.#maxDeviationBps = BigInt(deps.maxDeviationBps ?? 3000)
    this.#ttlMs = deps.ttlMs ?? 5000
  }

  async get(currencies: readonly Currency[]): Promise<readonly Price[]> {
    const now = this.#deps.clock.now()
    const missing = new Map<string, Currency>()
    for (const currency of currencies) {
      const key = keyOf(currency)
      // Age by distance: a business clock that was set back must not make a price last.
      if (Math.abs(now - (this.#kept.get(key)?.askedAt ?? Number.NEGATIVE_INFINITY)) >= this.#ttlMs) {
        missing.set(key, currency)
      }
    }
    if (missing.size > 0) this.#fetch([...missing.values()], now)
    return Promise.all(currencies.map((currency) => this.#keptPrice(currency)))
  }

  #keptPrice(currency: Currency): Promise<Price> {
    return this.#kept.get(keyOf(currency))?.price ?? Promise.reject(unavailable(currency, 'cannot be had now'))
  }

  #fetch(currencies: readonly Currency[], now: number): void {
    const answers = Promise.all(this.#deps.sources.map((source) => this.#ask(source, currencies)))
    currencies.forEach((currency, at) => {
      const price = answers.then((all) =>
        this.#check(
          currency,
          all.map((answer) => answer?.[at]),
        ),
      )
      const kept = { price, askedAt: now }
      this.#kept.set(keyOf(currency), kept)
      this.#forgetOldest()
      // A refusal is not kept: the next call asks again.
      price.catch(() => {
        if (this.#kept.get(keyOf(currency)) === kept) this.#kept.delete(keyOf(currency))
      })
    })
  }

  #forgetOldest(): void {
    if (this.#kept.size <= MAX_KEPT) return
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
  }

  /** Null when the source is down. */
  async #ask(source: PriceSource, currencies: readonly Currency[]): Promise<readonly (Price | null)[] | null> {
    try {
      return await source.getPrices(currencies)
    } catch (error) {
      this.#deps.onSourceError?.(source.name, error)
      return null
    }
  }

  /** `undefined` in `answers` is a source that failed, null one that does not know the currency. */
  #check(currency: Currency, answers: readonly (Price | null | undefined)[]): Price {
    const known = answers.filter((answer) => answer !== null && answer !== undefined)
    if (known.length === 0) {
      if (answers.length > 0 && answers.some((answer) => answer === undefined)) {
        throw unavailable(currency, 'cannot be had now')
      }
      throw new ServiceError('UNSUPPORTED_CURRENCY', `${currency.symbol} has no price here, so it cannot be quoted.`)
    }
    const now = this.#deps.clock.now()
    const fresh = known.filter(({ observedAt }) => Math.abs(now - observedAt) <= this.#maxAgeMs)
    if (fresh.length === 0) throw unavailable(currency, 'is too old')
    const ordered = [...fresh].sort((a, b) => (a.usd < b.usd ? -1 : a.usd > b.usd ? 1 : 0))
    const lowest = ordered[0]
    const highest = ordered[ordered.length - 1]
    const middle = ordered[(ordered.length - 1) >> 1]
    if (lowest === undefined || highest === undefined || middle === undefined || lowest.usd <= 0n) {
      throw unavailable(currency, 'is not usable')
    }
    if (ordered.length > 1 && (highest.usd - lowest.usd) * BPS >= lowest.usd * this.#maxDeviationBps) {
      throw unavailable(currency, 'differs too much between sources')
    }
    return middle
  }
}
