import type { CurrencySearch } from '@causeway/core/plugin'
import type { ClaimedToken } from './claimedToken.js'

/** Tokens are looked for by address where `addresses` has any, else by `term`. */
export type TokenQuestion = Pick<CurrencySearch, 'chainIds' | 'term' | 'addresses'>

/** One configured source of tokens. */
export interface TokenSource {
  readonly name: string
  /** Best matches first. @throws SourceError if the source failed; it has logged the failure */
  find(question: TokenQuestion): Promise<readonly ClaimedToken[]>
}

/** Maximum of tokens that one source contributes to one search. */
export const MAX_CLAIMS = 100
