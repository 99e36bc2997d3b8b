import type { ChainRegistry } from '@causeway/core/plugin'
import type { NonceMappingOptions } from './nonceMappingOptions.js'

/** Chains whose transfers a nonce links to their orders (wire.md 2.8). */
export class MappedChains {
  readonly #deps: { readonly chains: Pick<ChainRegistry, 'find' | 'isServed'>; readonly options: NonceMappingOptions }

  constructor(deps: {
    readonly chains: Pick<ChainRegistry, 'find' | 'isServed'>
    readonly options: NonceMappingOptions
  }) {
    this.#deps = deps
  }

  /** Name of a chain in what is signed; null: its deposits are not linked in this way, or it is not served. A configured one tells itself. */
  slugOf(chainId: number): string | null {
    const { chains, options } = this.#deps
    const chain = chains.find(chainId)
    if (chain !== undefined) {
      const isMapped = chain.adapter.capabilities.depositBinding === 'nonce-map'
      return isMapped && chains.isServed(chain) ? chain.config.slug : null
    }
    return options.chains.find(({ walletChainId }) => walletChainId === chainId)?.slug ?? null
  }
}
