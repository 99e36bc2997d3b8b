import type { Clock, Currency } from '@causeway/core'
import {
  type ChainRegistry,
  type CurrencySearch,
  type CurrencySearchSource,
  TokenFactsReader,
  unlistedCurrency,
} from '@causeway/core/plugin'

export interface ChainTokensDeps {
  readonly chains: ChainRegistry
  readonly clock: Clock
}

/** Reads of one search at most: a text may be an address on every chain of a VM. */
const MAX_READS = 10

/** Finds the token at an address by the metadata of its chain; unverified, since any contract may call itself anything. */
export class ChainTokens implements CurrencySearchSource {
  readonly name = 'chain'
  readonly #chains: ChainRegistry
  readonly #reader: TokenFactsReader

  constructor(deps: ChainTokensDeps) {
    this.#chains = deps.chains
    this.#reader = new TokenFactsReader(deps)
  }

  /** A chain that does not answer leaves its token out. */
  async search({ addresses, limit }: CurrencySearch): Promise<readonly Currency[]> {
    const answers = await Promise.allSettled(
      addresses.slice(0, MAX_READS).map(({ chainId, address }) => this.#read(chainId, address)),
    )
    return answers
      .flatMap((answer) => (answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : []))
      .slice(0, limit)
  }

  async #read(chainId: number, address: string): Promise<Currency | null> {
    const chain = this.#chains.find(chainId)
    const facts = await this.#reader.read(chainId, address)
    return chain === undefined || facts === null ? null : unlistedCurrency(chain, address, facts)
  }
}
