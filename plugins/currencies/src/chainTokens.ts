import { BoundedCache, type Clock, type Currency } from '@causeway/core'
import {
  type ChainRegistry,
  type CurrencySearch,
  type CurrencySearchSource,
  unlistedCurrency,
} from '@causeway/core/plugin'

export interface ChainTokensDeps {
  readonly chains: ChainRegistry
  readonly clock: Clock
}

/** Reads of one search at most: a text may be an address on every chain of a VM. */
const MAX_READS = 10
const KEEP_MS = 600_000
/** A token that no chain has yet may be deployed soon. */
const KEEP_NOTHING_MS = 30_000
const MAX_KEPT = 10_000

/** Finds the token at an address by what it says of itself on its chain; unverified, since any contract may call itself anything. */
export class ChainTokens implements CurrencySearchSource {
  readonly name = 'chain'
  readonly #chains: ChainRegistry
  readonly #kept: BoundedCache<Currency | null>

  constructor({ chains, clock }: ChainTokensDeps) {
    this.#chains = chains
    const lifeOf = (found: Currency | null) => (found === null ? KEEP_NOTHING_MS : KEEP_MS)
    this.#kept = new BoundedCache({ clock, maxEntries: MAX_KEPT, lifeOf })
  }

  /** One chain that does not answer leaves its token out. */
  async search({ addresses, limit }: CurrencySearch): Promise<readonly Currency[]> {
    const asked = addresses.slice(0, MAX_READS)
    const answers = await Promise.allSettled(
      asked.map(({ chainId, address }) => this.#kept.get(`${chainId}:${address}`, () => this.#read(chainId, address))),
    )
    return answers
      .flatMap((answer) => (answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : []))
      .slice(0, limit)
  }

  async #read(chainId: number, address: string): Promise<Currency | null> {
    const chain = this.#chains.find(chainId)
    if (chain === undefined || !this.#chains.isServed(chain)) return null
    const facts = (await chain.adapter.readToken?.(address)) ?? null
    if (facts === null) return null
    return unlistedCurrency(chain, address, facts)
  }
}
