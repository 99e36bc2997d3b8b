import type { Currency } from '../currency/currency.js'
import { inGroups, PriceApi, PriceApiError, type PriceQuery } from './priceApi.js'
import { memberOf, readPrice, readUnixSeconds } from './priceJson.js'
import { type IsListed, PriceNames } from './priceNames.js'
import type { PriceAnswer, PricePace, PriceSource } from './priceSource.js'

export interface CoinGeckoPriceSourceDeps {
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Coin id by `<chainId>:<address>`, group or symbol. */
  readonly ids: Readonly<Record<string, string>>
  /** Platform id by chain id: its tokens are looked up by contract. */
  readonly platforms: Readonly<Record<string, string>>
  /** Most contracts in one request. */
  readonly contractsPerRequest: number
  readonly isListed: IsListed
  readonly pace: PricePace
}

const IDS_PER_REQUEST = 100

/** Where the price of a currency stands in the answers: a coin, or a contract of a platform. */
interface Place {
  readonly list: string
  readonly key: string
}

interface PriceRequest {
  readonly list: string
  readonly keys: readonly string[]
}

type Found = readonly (readonly [place: string, answer: PriceAnswer])[]

const COINS = '/simple/price'

const placeText = ({ list, key }: Place): string => `${list} ${key}`

/** A contract or coin id as the answer names it: hex in lower case. */
const answerKey = (key: string): string => (/^0x/i.test(key) ? key.toLowerCase() : key)

const entriesOf = (answer: unknown): readonly (readonly [string, unknown])[] => {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return Object.entries(answer)
  throw new PriceApiError('Its answer is no JSON object')
}

const answerOf = (entry: unknown): PriceAnswer => {
  const usd = memberOf(entry, 'usd')
  const observedAt = readUnixSeconds(memberOf(entry, 'last_updated_at'))
  if (usd === undefined || usd === null || observedAt === null) return 'unavailable'
  return { usd: readPrice(usd), observedAt }
}

/**
 * Prices of a server that answers as CoinGecko's `/simple/price` and `/simple/token_price/{platform}` do. A currency is looked
 * up by its coin id where one is configured, otherwise by its contract where the chain has a platform. Throws PriceApiError.
 */
export class CoinGeckoPriceSource implements PriceSource {
  readonly name: string
  readonly pace: PricePace
  readonly #deps: CoinGeckoPriceSourceDeps
  readonly #api: PriceApi
  readonly #ids: PriceNames<string>

  constructor(deps: CoinGeckoPriceSourceDeps) {
    this.name = deps.name
    this.pace = deps.pace
    this.#deps = deps
    this.#api = new PriceApi({ url: deps.url, headers: deps.headers, timeoutMs: deps.pace.timeoutMs })
    this.#ids = new PriceNames(deps.ids, deps.isListed)
  }

  async getPrices(currencies: readonly Currency[], signal?: AbortSignal): Promise<readonly PriceAnswer[]> {
    const places = currencies.map((currency) => this.#placeOf(currency))
    const requests = this.#requestsFor(places.filter((place) => place !== null))
    const answers = await Promise.allSettled(requests.map((request) => this.#read(request, signal)))
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (failure !== undefined && answers.every(({ status }) => status === 'rejected')) throw failure.reason
    // One platform that fails takes nobody else's prices along.
    const found = new Map(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    return places.map((place) => {
      const answer = place === null ? null : found.get(placeText(place))
      return answer === undefined ? 'unavailable' : answer
    })
  }

  #placeOf(currency: Currency): Place | null {
    const id = this.#ids.find(currency)
    if (id !== undefined) return { list: COINS, key: id }
    const platform = this.#deps.platforms[String(currency.chainId)]
    if (platform === undefined || currency.metadata.isNative) return null
    return { list: `/simple/token_price/${encodeURIComponent(platform)}`, key: answerKey(currency.address) }
  }

  #requestsFor(places: readonly Place[]): readonly PriceRequest[] {
    const keys = new Map<string, Set<string>>()
    for (const { list, key } of places) keys.set(list, (keys.get(list) ?? new Set()).add(key))
    return [...keys].flatMap(([list, wanted]) => {
      const size = list === COINS ? IDS_PER_REQUEST : this.#deps.contractsPerRequest
      return inGroups([...wanted], size).map((group) => ({ list, keys: group }))
    })
  }

  async #read({ list, keys }: PriceRequest, signal?: AbortSignal): Promise<Found> {
    const query: PriceQuery = [
      [list === COINS ? 'ids' : 'contract_addresses', keys.join(',')],
      ['vs_currencies', 'usd'],
      ['include_last_updated_at', 'true'],
      ['precision', 'full'],
    ]
    const entries = new Map(
      entriesOf(await this.#api.get(list, query, signal)).map(([key, entry]) => [answerKey(key), entry]),
    )
    return keys.map((key) => {
      // A contract that is not in the answer is unknown to it; a coin id was configured.
      const isUnknown = list !== COINS && !entries.has(key)
      return [placeText({ list, key }), isUnknown ? null : answerOf(entries.get(key))]
    })
  }
}
