import { type ChainRegistry, memberOf } from '@causeway/core/plugin'
import { type ClaimedToken, readClaim } from './claimedToken.js'
import { forEachEntry } from './forEachEntry.js'
import type { Reading, RefreshedDocument } from './refreshedDocument.js'
import { SourceError } from './sourceState.js'
import { TokenIndex } from './tokenIndex.js'
import type { TokenQuestion, TokenSource } from './tokenSource.js'

export interface TokenListTerms {
  readonly chains: ChainRegistry
  /** Chain id of this deployment by chain id of the list, where they differ. */
  readonly chainIds: Readonly<Record<string, number>>
}

/** Maximum of entries that are read; the token-list format has at most 10,000. */
const MAX_ENTRIES = 20_000

/**
 * Reads a list in the token-list format of Uniswap. An entry that is no token of its chain is refused and counted; entries of
 * chains that are not configured are skipped. @throws SourceError if the body is no such list or every entry is refused
 */
export const readTokenList = async (
  body: unknown,
  { chains, chainIds }: TokenListTerms,
): Promise<Reading<TokenIndex>> => {
  const entries = memberOf(body, 'tokens')
  if (!Array.isArray(entries)) throw new SourceError('Its answer is no token list')
  const tokens: ClaimedToken[] = []
  let refused = Math.max(0, entries.length - MAX_ENTRIES)
  await forEachEntry(entries.slice(0, MAX_ENTRIES), (entry) => {
    const chainId = memberOf(entry, 'chainId')
    const isId = typeof chainId === 'number' && Number.isSafeInteger(chainId)
    const chain = isId ? chains.find(chainIds[String(chainId)] ?? chainId) : undefined
    if (isId && chain === undefined) return
    const claim = chain === undefined ? null : readClaim(chain, membersOf(entry))
    if (claim === null) refused += 1
    else tokens.push(claim)
  })
  if (tokens.length === 0 && refused > 0) throw new SourceError(`None of its ${refused} entries is a token`)
  const value = new TokenIndex(tokens)
  return { value, tokens: value.size, refused }
}

const membersOf = (entry: unknown) => ({
  address: memberOf(entry, 'address'),
  symbol: memberOf(entry, 'symbol'),
  name: memberOf(entry, 'name'),
  // The format requires decimals: null is no value of it.
  decimals: memberOf(entry, 'decimals') ?? undefined,
  logoURI: memberOf(entry, 'logoURI'),
})

/** A token list as a source. */
export class TokenListSource implements TokenSource {
  readonly name: string
  readonly #list: RefreshedDocument<TokenIndex>

  constructor(name: string, list: RefreshedDocument<TokenIndex>) {
    this.name = name
    this.#list = list
  }

  async find(question: TokenQuestion): Promise<readonly ClaimedToken[]> {
    const index = await this.#list.current()
    if (index === null) return []
    if (question.addresses.length > 0) return index.byAddress(question)
    return question.term === undefined ? [] : index.byTerm(question.term, question.chainIds)
  }
}
