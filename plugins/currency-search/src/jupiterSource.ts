import { type Chain, memberOf } from '@causeway/core/plugin'
import { type ClaimedToken, readClaim } from './claimedToken.js'
import type { SearchApi } from './searchApi.js'
import { SourceError } from './sourceState.js'
import type { TokenQuestion, TokenSource } from './tokenSource.js'

/** Reads an answer of the token search of Jupiter. @throws SourceError */
export const readFoundMints = (body: unknown, chain: Chain): readonly ClaimedToken[] => {
  if (!Array.isArray(body)) throw new SourceError('Its answer is no list of tokens')
  return (body as unknown[]).flatMap((token) => {
    const claim = readClaim(chain, {
      address: memberOf(token, 'id'),
      symbol: memberOf(token, 'symbol'),
      name: memberOf(token, 'name'),
      decimals: memberOf(token, 'decimals') ?? undefined,
      logoURI: memberOf(token, 'icon'),
    })
    return claim === null ? [] : [claim]
  })
}

/** Addresses in one question; the answer has as many tokens. */
const MAX_ADDRESSES = 30

export interface JupiterSourceDeps {
  readonly name: string
  readonly chainId: number
  readonly api: SearchApi<ClaimedToken>
}

/** A server with the answers of the token search of Jupiter, for one Solana chain. */
export class JupiterSource implements TokenSource {
  readonly name: string
  readonly #deps: JupiterSourceDeps

  constructor(deps: JupiterSourceDeps) {
    this.name = deps.name
    this.#deps = deps
  }

  async find({ chainIds, addresses, term }: TokenQuestion): Promise<readonly ClaimedToken[]> {
    const { chainId, api } = this.#deps
    if (!chainIds.includes(chainId)) return []
    if (addresses.length === 0) return term === undefined ? [] : api.search(term)
    const asked = addresses.filter((place) => place.chainId === chainId).slice(0, MAX_ADDRESSES)
    return asked.length === 0 ? [] : api.search(asked.map(({ address }) => address).join(','))
  }
}
