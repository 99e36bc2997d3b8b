import { token } from '../container/tokens.js'
import { ServiceError } from '../errors/serviceError.js'
import type { AddressCodecs } from '../order/encoding/vmCodecs.js'
import type { ChainAdapter } from './chainAdapter.js'
import type { ChainConfig } from './chainPackage.js'
import type { ChainHold } from './comparison/chainHold.js'
import type { ServiceGap } from './service/serviceGap.js'
import { PROTOCOL_VM_TYPES } from './vmType.js'

/** A configured chain: its settings and its adapter. */
export interface Chain {
  readonly config: ChainConfig
  readonly adapter: ChainAdapter
}

/** The chains of this deployment. How a plugin reaches a chain. */
export class ChainRegistry {
  readonly #chains: ReadonlyMap<number, Chain>
  #holds = new Map<number, ChainHold>()
  #gaps = new Map<number, ServiceGap>()
  #changes = { count: 0 }

  constructor(chains: readonly Chain[]) {
    this.#chains = new Map(chains.map((chain) => [chain.config.id, chain]))
  }

  /** The same chains behind other adapters, with the same holds and gaps. */
  map(change: (chain: Chain) => Chain): ChainRegistry {
    const changed = new ChainRegistry(this.all().map(change))
    changed.#holds = this.#holds
    changed.#gaps = this.#gaps
    changed.#changes = this.#changes
    return changed
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

  /** Holds a chain until it is compared with the configuration, or releases it with null. */
  hold(chainId: number, hold: ChainHold | null): void {
    if (hold === null) this.#holds.delete(chainId)
    else this.#holds.set(chainId, hold)
    this.#changes.count += 1
  }

  /** Null for a chain whose currencies and contracts are as configured, or that this process never compares. */
  holdOf(chainId: number): ChainHold | null {
    return this.#holds.get(chainId) ?? null
  }

  /** Whether the chain is switched on and not on hold. */
  isServed({ config }: Chain): boolean {
    return config.enabled && !this.#holds.has(config.id)
  }

  /** @throws ServiceError `CHAIN_DISABLED`, or `SERVICE_UNAVAILABLE` while the chain was not compared yet */
  requireServed({ config }: Chain): void {
    if (!config.enabled) throw new ServiceError('CHAIN_DISABLED', `Chain ${config.id} is switched off now`)
    const hold = this.holdOf(config.id)
    if (hold === null) return
    const code = hold.kind === 'unchecked' ? 'SERVICE_UNAVAILABLE' : 'CHAIN_DISABLED'
    throw new ServiceError(code, `Chain ${config.id} is not served now. ${hold.message}`)
  }

  /** Notes why a chain takes no quotes, or with null that it does; returns whether that changed. */
  setGap(chainId: number, gap: ServiceGap | null): boolean {
    const before = this.gapOf(chainId)
    if (gap === null) this.#gaps.delete(chainId)
    else this.#gaps.set(chainId, gap)
    const changes = before?.from !== gap?.from || before?.to !== gap?.to
    if (changes) this.#changes.count += 1
    return changes
  }

  /** Grows whenever a hold or a gap changed, so that answers made of them can be kept. */
  get changes(): number {
    return this.#changes.count
  }

  /** Null while a watcher and a solver work on the chain and its lane is open, and in processes that do not look. */
  gapOf(chainId: number): ServiceGap | null {
    return this.#gaps.get(chainId) ?? null
  }

  /**
   * Refuses new transfers that no running part of the service could take in or pay out.
   * @throws ServiceError `SERVICE_UNAVAILABLE`
   */
  requireService(origin: Chain, destination: Chain): void {
    const why = this.gapOf(origin.config.id)?.from ?? this.gapOf(destination.config.id)?.to
    if (why != null) throw new ServiceError('SERVICE_UNAVAILABLE', `${why} Try again later.`)
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
