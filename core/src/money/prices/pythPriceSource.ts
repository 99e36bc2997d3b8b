import { BPS } from '../bps.js'
import type { Currency } from '../currency/currency.js'
import { inGroups, PriceApi, PriceApiError } from './priceApi.js'
import { memberOf, readPrice, readUnixSeconds } from './priceJson.js'
import { type IsListed, PriceNames } from './priceNames.js'
import type { PriceAnswer, PricePace, PriceSource } from './priceSource.js'

export interface PythPriceSourceDeps {
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Feed id, 64 hex digits, by `<chainId>:<address>`, group or symbol. */
  readonly feeds: Readonly<Record<string, string>>
  /** A confidence interval wider than this share of the price means there is no price now. */
  readonly maxConfidenceBps: number
  readonly isListed: IsListed
  readonly pace: PricePace
}

const FEEDS_PER_REQUEST = 100
const isUnsigned = (text: unknown): text is string => typeof text === 'string' && /^[0-9]{1,40}$/.test(text)

const feedKey = (id: unknown): string => String(id).toLowerCase().replace(/^0x/, '')

/**
 * Prices of a server that answers as Pyth's Hermes does at `/v2/updates/price/latest`: a whole number with an exponent and a
 * confidence interval. Throws PriceApiError.
 */
export class PythPriceSource implements PriceSource {
  readonly name: string
  readonly pace: PricePace
  readonly #api: PriceApi
  readonly #feeds: PriceNames<string>
  readonly #maxConfidenceBps: bigint

  constructor(deps: PythPriceSourceDeps) {
    this.name = deps.name
    this.pace = deps.pace
    this.#api = new PriceApi({ url: deps.url, headers: deps.headers, timeoutMs: deps.pace.timeoutMs })
    this.#feeds = new PriceNames(deps.feeds, deps.isListed)
    this.#maxConfidenceBps = BigInt(deps.maxConfidenceBps)
  }

  async getPrices(currencies: readonly Currency[], signal?: AbortSignal): Promise<readonly PriceAnswer[]> {
    const ids = currencies.map((currency) => {
      const id = this.#feeds.find(currency)
      return id === undefined ? null : feedKey(id)
    })
    const wanted = [...new Set(ids.filter((id) => id !== null))]
    const groups = await Promise.all(inGroups(wanted, FEEDS_PER_REQUEST).map((group) => this.#read(group, signal)))
    const found = new Map(groups.flat())
    return ids.map((id) => (id === null ? null : this.#answerOf(found.get(id))))
  }

  /** Feeds of an answer by their id. */
  async #read(ids: readonly string[], signal?: AbortSignal): Promise<readonly (readonly [string, unknown])[]> {
    const answer = await this.#api.get(
      '/v2/updates/price/latest',
      [...ids.map((id) => ['ids[]', id] as const), ['parsed', 'true'], ['ignore_invalid_price_ids', 'true']],
      signal,
    )
    const parsed = memberOf(answer, 'parsed')
    if (!Array.isArray(parsed)) throw new PriceApiError('Its answer has no list of prices')
    return parsed.map((feed: unknown) => [feedKey(memberOf(feed, 'id')), memberOf(feed, 'price')])
  }

  #answerOf(feed: unknown): PriceAnswer {
    const observedAt = readUnixSeconds(memberOf(feed, 'publish_time'))
    const price = memberOf(feed, 'price')
    const confidence = memberOf(feed, 'conf')
    if (observedAt === null || price === undefined) return 'unavailable'
    if (!isUnsigned(price) || !isUnsigned(confidence)) return { usd: 0n, observedAt }
    const usd = readPrice(`${price}e${memberOf(feed, 'expo')}`)
    // Both have the same exponent.
    const isWide = BigInt(confidence) * BPS > BigInt(price) * this.#maxConfidenceBps
    return isWide && usd > 0n ? 'unavailable' : { usd, observedAt }
  }
}
