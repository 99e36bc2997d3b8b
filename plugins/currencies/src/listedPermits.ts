import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { ChainRegistry, PermitSupport, PermitWays } from '@causeway/core/plugin'
import { currencyKey } from './catalogueCurrency.js'

export interface ListedPermitsDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly support: PermitSupport
}

/** How currencies of an answer are taken by a signature: among those that the solver holds, for others are never deposited so. */
export class ListedPermits {
  readonly #deps: ListedPermitsDeps

  constructor(deps: ListedPermitsDeps) {
    this.#deps = deps
  }

  /** By key (`currencyKey`). */
  async among(found: readonly Currency[]): Promise<PermitWays> {
    const { chains, currencies, support } = this.#deps
    const chainIds = [...new Set(found.map(({ chainId }) => chainId))]
    const taken = await Promise.all(
      chainIds.map(async (chainId) => {
        const chain = chains.find(chainId)
        if (chain === undefined) return []
        const ways = await support.of(chain, currencies.ofChain(chainId))
        return [...ways].map(([address, way]) => [currencyKey(chainId, address), way] as const)
      }),
    )
    return new Map(taken.flat())
  }
}
