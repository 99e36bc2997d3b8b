import { BoundedCache } from '../../cache/boundedCache.js'
import type { TokenFacts } from '../../chain/chainAdapter.js'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import type { Clock } from '../../clock/clock.js'

export interface TokenFactsReaderDeps {
  readonly chains: ChainRegistry
  readonly clock: Clock
}

const KEEP_MS = 600_000
/** A missing token may be deployed at any moment. */
const KEEP_MISSING_MS = 30_000
const MAX_KEPT = 10_000
/** Pending reads of one chain; its nodes may hang. */
const MAX_PENDING = 200

/** Reads the metadata of tokens from their chains, with a cache. The adapter batches tokens that are read in the same turn. */
export class TokenFactsReader {
  readonly #chains: ChainRegistry
  readonly #kept: BoundedCache<TokenFacts | null>
  readonly #pending = new Map<number, number>()

  constructor({ chains, clock }: TokenFactsReaderDeps) {
    this.#chains = chains
    const lifeOf = (facts: TokenFacts | null) => (facts === null ? KEEP_MISSING_MS : KEEP_MS)
    this.#kept = new BoundedCache({ clock, maxEntries: MAX_KEPT, lifeOf })
  }

  /**
   * Returns null if the chain is unknown, not served or without tokens, or if `address` (canonical) is no token.
   * @throws Error if no node answers or too many reads of the chain are pending; neither is cached
   */
  read(chainId: number, address: string): Promise<TokenFacts | null> {
    return this.#kept.get(`${chainId}:${address}`, () => this.#ask(chainId, address))
  }

  async #ask(chainId: number, address: string): Promise<TokenFacts | null> {
    const chain = this.#chains.find(chainId)
    if (chain === undefined || !this.#chains.isServed(chain)) return null
    const pending = this.#pending.get(chainId) ?? 0
    if (pending >= MAX_PENDING) throw new Error(`${pending} tokens of chain ${chainId} are being read`)
    this.#pending.set(chainId, pending + 1)
    try {
      return (await chain.adapter.readToken?.(address)) ?? null
    } finally {
      this.#pending.set(chainId, (this.#pending.get(chainId) ?? 1) - 1)
    }
  }
}
