import { token } from '../container/tokens.js'
import type { AddressCodecs } from '../order/encoding/vmCodecs.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { ChainConfig } from './chainPackage.js'
import { PROTOCOL_VM_TYPES } from './vmType.js'

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

  /** Codecs that packages bring along, for order ids: of VMs beyond the nine, and of networks that write addresses otherwise. */
  addressCodecs(): AddressCodecs {
    return Object.fromEntries(
      this.all().flatMap((chain) => {
        const { addressCodec } = chain.adapter
        return addressCodec === undefined ? [] : [[codecName(chain), addressCodec]]
      }),
    )
  }

  /** Protocol VM name by slug, for order ids. */
  vmTypeBySlug(protocolVmTypes: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      this.all().map((chain) => {
        const { adapter, config } = chain
        const known = adapter.addressCodec === undefined ? protocolVmTypes[adapter.vmType] : codecName(chain)
        return [config.slug, known ?? adapter.vmType]
      }),
    )
  }
}

/** A test network of one of the nine VMs has bytes of its own: its codec takes the place of the VM's. */
const codecName = ({ adapter, config }: Chain): string =>
  Object.hasOwn(PROTOCOL_VM_TYPES, adapter.vmType) ? `${adapter.vmType}:${config.slug}` : adapter.vmType

export const CHAINS = token<ChainRegistry>('core/ChainRegistry')
