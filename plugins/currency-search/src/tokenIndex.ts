import { matchRank } from '@causeway/core/plugin'
import type { ClaimedToken } from './claimedToken.js'
import { MAX_CLAIMS, type TokenQuestion } from './tokenSource.js'

/** Identity of a token. */
export const tokenKey = ({ chainId, address }: Pick<ClaimedToken, 'chainId' | 'address'>): string =>
  `${chainId}:${address}`

/** Symbol, name and address, as search texts compare with them. */
export const searchTexts = ({ symbol, name, address }: ClaimedToken): readonly string[] =>
  [symbol, name, address].map((text) => text.toLowerCase())

/** Tokens in memory, by address and by text; of two with one address the first counts. */
export class TokenIndex {
  readonly #byKey: ReadonlyMap<string, ClaimedToken>
  readonly #entries: readonly { readonly token: ClaimedToken; readonly texts: readonly string[] }[]

  constructor(tokens: readonly ClaimedToken[]) {
    this.#byKey = new Map(tokens.toReversed().map((token) => [tokenKey(token), token]))
    this.#entries = [...this.#byKey.values()].toReversed().map((token) => ({ token, texts: searchTexts(token) }))
  }

  get size(): number {
    return this.#byKey.size
  }

  byAddress({ addresses }: Pick<TokenQuestion, 'addresses'>): readonly ClaimedToken[] {
    return addresses.flatMap((place) => this.#byKey.get(tokenKey(place)) ?? []).slice(0, MAX_CLAIMS)
  }

  /** Equal texts before those that begin with `term`, those before the ones that contain it. */
  byTerm(term: string, chainIds: readonly number[]): readonly ClaimedToken[] {
    const wanted = new Set(chainIds)
    const found: [ClaimedToken[], ClaimedToken[], ClaimedToken[]] = [[], [], []]
    for (const { token, texts } of this.#entries) {
      const rank = wanted.has(token.chainId) ? matchRank(texts, term) : null
      if (rank !== null) found[rank].push(token)
    }
    return found.flat().slice(0, MAX_CLAIMS)
  }
}
