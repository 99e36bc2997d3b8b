import { type Chain, type ChainRegistry, memberOf } from '@causeway/core/plugin'
import { type ClaimedToken, readClaim, readNames, type TokenNames, textAt } from './claimedToken.js'
import { forEachEntry } from './forEachEntry.js'
import type { Reading, RefreshedDocument } from './refreshedDocument.js'
import type { SearchApi } from './searchApi.js'
import { SourceError } from './sourceState.js'
import { TokenIndex } from './tokenIndex.js'
import type { TokenQuestion, TokenSource } from './tokenSource.js'

/** A coin of an answer of `/search`. */
export interface FoundCoin extends TokenNames {
  readonly id: string
}

/** Where coins are tokens: by coin id, and by address. */
export interface CoinPlaces {
  readonly byId: ReadonlyMap<string, readonly ClaimedToken[]>
  readonly index: TokenIndex
}

export interface CoinTerms {
  readonly chains: ChainRegistry
  /** Platform id by chain id. */
  readonly platforms: Readonly<Record<string, string>>
}

const MAX_ID = 200
const MAX_COINS = 100_000

/** Chains that a deployment maps to platforms and serves. */
const platformChains = ({ chains, platforms }: CoinTerms): readonly (readonly [platform: string, chain: Chain])[] =>
  Object.entries(platforms).flatMap(([chainId, platform]) => {
    const chain = chains.find(Number(chainId))
    return chain === undefined ? [] : [[platform, chain] as const]
  })

/** Reads `/coins/list?include_platform=true`. Entries without a configured platform are skipped. @throws SourceError */
export const readCoinList = async (body: unknown, terms: CoinTerms): Promise<Reading<CoinPlaces>> => {
  if (!Array.isArray(body)) throw new SourceError('Its answer is no list of coins')
  const chains = platformChains(terms)
  const byId = new Map<string, readonly ClaimedToken[]>()
  let refused = Math.max(0, body.length - MAX_COINS)
  await forEachEntry(body.slice(0, MAX_COINS), (coin) => {
    const id = textAt(coin, 'id', MAX_ID)
    const stated = chains.flatMap(([platform, chain]) => {
      const address = memberOf(memberOf(coin, 'platforms'), platform)
      return address === undefined || address === null || address === '' ? [] : [{ chain, address }]
    })
    const tokens = stated.flatMap(({ chain, address }) => readClaim(chain, { ...membersOf(coin), address }) ?? [])
    refused += id === null ? 1 : stated.length - tokens.length
    if (id !== null && tokens.length > 0) byId.set(id, tokens)
  })
  const index = new TokenIndex([...byId.values()].flat())
  if (index.size === 0 && refused > 0) throw new SourceError(`None of its ${refused} entries is a token`)
  return { value: { byId, index }, tokens: index.size, refused }
}

const membersOf = (coin: unknown) => ({
  symbol: memberOf(coin, 'symbol'),
  name: memberOf(coin, 'name'),
  // The server states none here; the chain does.
  decimals: null,
  logoURI: undefined,
})

/** Reads an answer of `/search`. @throws SourceError */
export const readFoundCoins = (body: unknown): readonly FoundCoin[] => {
  const coins = memberOf(body, 'coins')
  if (!Array.isArray(coins)) throw new SourceError('Its answer has no list of coins')
  return (coins as unknown[]).flatMap((coin) => {
    const id = textAt(coin, 'id', MAX_ID)
    const [symbol, name, logoURI] = ['symbol', 'name', 'large'].map((member) => memberOf(coin, member))
    const names = readNames({ symbol, name, logoURI })
    return id === null || names === null ? [] : [{ id, ...names }]
  })
}

export interface CoinGeckoSourceDeps {
  readonly name: string
  readonly coins: RefreshedDocument<CoinPlaces>
  readonly api: SearchApi<FoundCoin>
}

/** A server with the answers of CoinGecko: coins by text from its search, their addresses from its list of coins. */
export class CoinGeckoSource implements TokenSource {
  readonly name: string
  readonly #deps: CoinGeckoSourceDeps

  constructor(deps: CoinGeckoSourceDeps) {
    this.name = deps.name
    this.#deps = deps
  }

  async find(question: TokenQuestion): Promise<readonly ClaimedToken[]> {
    const { coins, api } = this.#deps
    const { addresses, term, chainIds } = question
    if (addresses.length > 0) return (await coins.current())?.index.byAddress(question) ?? []
    if (term === undefined) return []
    const [places, found] = await Promise.all([coins.current(), api.search(term)])
    // The list has symbols in lower case and no images.
    return found.flatMap(({ id, ...names }) =>
      (places?.byId.get(id) ?? [])
        .filter(({ chainId }) => chainIds.includes(chainId))
        .map((token) => ({ ...token, ...names })),
    )
  }
}
