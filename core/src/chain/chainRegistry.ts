import { token } from '../container/tokens.js'
import type { AddressCodecs } from '../order/encoding/vmCodecs.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { ChainConfig } from './chainPackage.js'

/** A configured chain: its settings and its adapter. */
export interface Chain {
  readonly config: ChainConfig
  readonly adapter: ChainAdapter
}

/** The chains of this deployment. How a plugin reaches a chain. */
export class ChainRegistry {
  readonly #chains: ReadonlyMap<number, Chain>

  constructor(chains: readonly Chain[]) {
    this.#chains = new Map(chains.map((chain) => [chain.config.id, chain]))
  }

  find(chainId: number): Chain | undefined {
    return this.#chains.get(chainId)
  }

  /** Throws when the chain is not configured: only for ids that come from our own tables. */
  get(chainId: number): Chain {
    const chain = this.#chains.get(chainId)
    if (chain === undefined) throw new Error(`Chain ${chainId} is not configured; add it to "chains" again.`)
    return chain
  }

  all(): readonly Chain[] {
    return [...this.#chains.values()]
  }

  /** Codecs of VMs beyond the nine, which their packages bring along, for order ids. */
  addressCodecs(): AddressCodecs {
    return Object.fromEntries(
      this.all().flatMap(({ adapter }) =>
        adapter.addressCodec === undefined ? [] : [[adapter.vmType, adapter.addressCodec]],
      ),
    )
  }

  /** Protocol VM name by slug, for order ids. */
  vmTypeBySlug(protocolVmTypes: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      this.all().map(({ config, adapter }) => [config.slug, protocolVmTypes[adapter.vmType] ?? adapter.vmType]),
    )
  }
}

export const CHAINS = token<ChainRegistry>('core/ChainRegistry')
