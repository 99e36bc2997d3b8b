import type { CurrencyRegistry } from '@causeway/core'
import { type Chain, type ChainRegistry, PreparedJson } from '@causeway/core/plugin'
import { chainEntry } from './chainEntry.js'
import type { ChainListing } from './chainsOptions.js'
import type { HeadWatch } from './health/headWatch.js'

export interface ChainCatalogueDeps {
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly heads: HeadWatch
  listing(chainId: number): ChainListing
  /** Milliseconds that only grow. */
  now(): number
}

interface Prepared {
  readonly madeAt: number
  /** JSON text of each chain's entry. */
  readonly entries: ReadonlyMap<Chain, string>
  readonly publicBody: PreparedJson
}

const KEEP_MS = 15_000
const MAX_PRIVATE = 20

const bodyOf = (entries: Iterable<string>): PreparedJson => new PreparedJson(`{"chains":[${[...entries].join(',')}]}`)

/** Body of `GET /chains`, made once for fifteen seconds; the private chains' entries are joined to it as asked for. */
export class ChainCatalogue {
  readonly #deps: ChainCatalogueDeps
  #prepared: Prepared | undefined

  constructor(deps: ChainCatalogueDeps) {
    this.#deps = deps
  }

  /** `includeChains`: UUIDs separated by commas; a private chain is listed only by its own (wire.md K.3 8). */
  body(includeChains: string | undefined): PreparedJson {
    const { entries, publicBody } = this.#fresh()
    const wanted = new Set((includeChains ?? '').split(',', MAX_PRIVATE).map((part) => part.trim().toLowerCase()))
    const isWanted = ({ config }: Chain): boolean =>
      config.privateId !== undefined && wanted.has(config.privateId.toLowerCase())
    if (![...entries.keys()].some(isWanted)) return publicBody
    return bodyOf(
      [...entries].filter(([chain]) => chain.config.privateId === undefined || isWanted(chain)).map(([, text]) => text),
    )
  }

  #fresh(): Prepared {
    const now = this.#deps.now()
    if (this.#prepared === undefined || now - this.#prepared.madeAt >= KEEP_MS) this.#prepared = this.#prepare(now)
    return this.#prepared
  }

  #prepare(now: number): Prepared {
    const { chains, currencies, heads, listing } = this.#deps
    const entries = new Map(
      chains.all().map((chain) => {
        const { id } = chain.config
        const lagging = heads.state(chain) === 'lagging'
        const entry = chainEntry({ chain, held: currencies.ofChain(id), listing: listing(id), lagging })
        return [chain, JSON.stringify(entry)]
      }),
    )
    const open = [...entries].filter(([chain]) => chain.config.privateId === undefined).map(([, text]) => text)
    return { madeAt: now, entries, publicBody: bodyOf(open) }
  }
}
