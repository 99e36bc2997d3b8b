import type { Currency } from '@causeway/core'
import {
  type ChainRegistry,
  type CurrencySearch,
  type CurrencySearchSource,
  matchRank,
  type TokenFactsReader,
  unlistedCurrency,
} from '@causeway/core/plugin'
import type { ClaimedToken } from './claimedToken.js'
import { searchTexts, tokenKey } from './tokenIndex.js'
import type { TokenQuestion, TokenSource } from './tokenSource.js'

export interface ExternalTokensDeps {
  /** In the order in which they win. */
  readonly sources: readonly TokenSource[]
  readonly chains: ChainRegistry
  readonly reader: Pick<TokenFactsReader, 'read'>
  /** Time limit of one search, milliseconds. */
  readonly timeoutMs: number
}

/** Part of the time limit after which sources are left out; the rest is for the chains. */
const SOURCES_PART = 0.6
/** Maximum of tokens that one search reads from their chains. */
const MAX_READS = 40

/** Tokens of all sources, each confirmed by its chain: decimals come from there alone. */
export class ExternalTokens implements CurrencySearchSource {
  readonly name = 'currency-search'
  readonly #deps: ExternalTokensDeps

  constructor(deps: ExternalTokensDeps) {
    this.#deps = deps
  }

  /** Best matches first, then by source. A source or chain that fails or is late is left out. */
  async search({ limit, ...question }: CurrencySearch, signal: AbortSignal): Promise<readonly Currency[]> {
    const { sources, timeoutMs } = this.#deps
    const until = (milliseconds: number) => AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
    const [asking, over] = [until(Math.ceil(timeoutMs * SOURCES_PART)), until(timeoutMs)]
    const answers = await inTime(asking, sources, (source) => source.find(question))
    const places = bestPlaces(answers.flat(), question).slice(0, MAX_READS)
    const found = await inTime(over, places, (claims) => this.#confirm(claims))
    return found.filter((currency) => currency !== null).slice(0, limit)
  }

  /** The first claim that agrees with the chain about decimals, as a currency; null if none does. */
  async #confirm(claims: readonly ClaimedToken[]): Promise<Currency | null> {
    const [{ chainId, address } = { chainId: 0, address: '' }] = claims
    const chain = this.#deps.chains.find(chainId)
    const facts = await this.#deps.reader.read(chainId, address)
    if (chain === undefined || facts === null) return null
    const claim = claims.find(({ decimals }) => decimals === null || decimals === facts.decimals)
    if (claim === undefined) return null
    const { metadata, ...currency } = unlistedCurrency(chain, address, facts)
    const { symbol, name, logoURI } = claim
    const isSame = symbol.toLowerCase() === facts.symbol.toLowerCase()
    return { ...currency, symbol: isSame ? facts.symbol : symbol, name, metadata: { ...metadata, logoURI } }
  }
}

/** Results of `work` for each item that came before the signal aborts, in order. Never rejects. */
const inTime = async <Item, Result>(
  signal: AbortSignal,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: (readonly [Result] | null)[] = items.map(() => null)
  const pending = items.map(async (item, at) => {
    results[at] = [await work(item)]
  })
  const isOver = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([Promise.allSettled(pending), isOver])
  return results.flatMap((result) => result ?? [])
}

/** The claims of each place that answers the question, best places first. */
const bestPlaces = (claims: readonly ClaimedToken[], question: TokenQuestion): readonly (readonly ClaimedToken[])[] => {
  const places = new Map<string, { rank: number; readonly claims: ClaimedToken[] }>()
  const rankOf = ranking(question)
  for (const claim of claims) {
    const rank = rankOf(claim)
    if (rank === null) continue
    const place = places.get(tokenKey(claim)) ?? { rank, claims: [] }
    place.rank = Math.min(place.rank, rank)
    place.claims.push(claim)
    places.set(tokenKey(claim), place)
  }
  return [...places.values()].sort((left, right) => left.rank - right.rank).map((place) => place.claims)
}

/** How well a claim answers the question; null: not at all, whatever its source thinks. */
const ranking = ({ chainIds, addresses, term }: TokenQuestion): ((claim: ClaimedToken) => number | null) => {
  const wanted = new Set(addresses.map(tokenKey))
  return (claim) => {
    if (!chainIds.includes(claim.chainId)) return null
    if (wanted.size > 0) return wanted.has(tokenKey(claim)) ? 0 : null
    return term === undefined ? null : matchRank(searchTexts(claim), term)
  }
}
