import type { CurrencyRegistry } from '@causeway/core'
import {
  type Chain,
  type ChainRegistry,
  type PermitSupport,
  PreparedJson,
  type ServiceGap,
} from '@causeway/core/plugin'
import { chainEntry } from './chainEntry.js'
import type { ChainListing } from './chainsOptions.js'
import type { HeadWatch } from './health/headWatch.js'

export interface ChainCatalogueDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly heads: HeadWatch
  readonly permits: PermitSupport
  listing(chainId: number): ChainListing
  /** Milliseconds that only grow. */
  now(): number
}

interface Prepared {
  readonly madeAt: number
  /** `ChainRegistry.changes` before it was made. */
  readonly changes: number
  /** JSON text of each chain's entry. */
  readonly entries: ReadonlyMap<Chain, string>
  readonly publicBody: PreparedJson
}

const KEEP_MS = 15_000
const MAX_PRIVATE = 20

const bodyOf = (entries: Iterable<string>): PreparedJson => new PreparedJson(`{"chains":[${[...entries].join(',')}]}`)

const pausedOf = (chains: ChainRegistry, chainId: number): ServiceGap => {
  const hold = chains.holdOf(chainId)
  if (hold !== null) return { from: hold.message, to: hold.message }
  return chains.gapOf(chainId) ?? { from: null, to: null }
}

/** Body of `GET /chains`, made once for fifteen seconds or until a chain is paused or served; the private chains' entries are joined to it as asked for. */
export class ChainCatalogue {
  readonly #deps: ChainCatalogueDeps
  #prepared: Prepared | undefined
  #preparing: Promise<Prepared> | undefined

  constructor(deps: ChainCatalogueDeps) {
    this.#deps = deps
  }

  /** `includeChains`: UUIDs separated by commas; a private chain is listed only by its own (wire.md K.3 8). */
  async body(includeChains: string | undefined): Promise<PreparedJson> {
    const { entries, publicBody } = await this.#fresh()
    const wanted = new Set((includeChains ?? '').split(',', MAX_PRIVATE).map((part) => part.trim().toLowerCase()))
    const isWanted = ({ config }: Chain): boolean =>
      config.privateId !== undefined && wanted.has(config.privateId.toLowerCase())
    if (![...entries.keys()].some(isWanted)) return publicBody
    return bodyOf(
      [...entries].filter(([chain]) => chain.config.privateId === undefined || isWanted(chain)).map(([, text]) => text),
    )
  }

  #fresh(): Promise<Prepared> | Prepared {
    const now = this.#deps.now()
    const { changes } = this.#deps.chains
    const kept = this.#prepared
    if (kept !== undefined && kept.changes === changes && now - kept.madeAt < KEEP_MS) return kept
    this.#preparing ??= this.#prepare(now).finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  async #prepare(now: number): Promise<Prepared> {
    const { chains } = this.#deps
    const { changes } = chains
    const entries = new Map(
      await Promise.all(chains.all().map(async (chain) => [chain, await this.#entryOf(chain)] as const)),
    )
    const open = [...entries].filter(([chain]) => chain.config.privateId === undefined).map(([, text]) => text)
    this.#prepared = { madeAt: now, changes, entries, publicBody: bodyOf(open) }
    return this.#prepared
  }

  async #entryOf(chain: Chain): Promise<string> {
    const { chains, currencies, heads, listing, permits } = this.#deps
    const { id } = chain.config
    const held = currencies.ofChain(id)
    const lagging = heads.state(chain) === 'lagging'
    const entry = {
      chain,
      held,
      listing: listing(id),
      lagging,
      paused: pausedOf(chains, id),
      permits: await permits.of(chain, held),
    }
    return JSON.stringify(chainEntry(entry))
  }
}
