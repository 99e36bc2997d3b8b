import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { ChainRegistry, CurrencyListing, CurrencySearchSource } from '@causeway/core/plugin'
import type { Logger } from 'pino'
import { type CatalogueCurrency, compareFound, currencyKey } from './catalogueCurrency.js'
import { type CurrencyFilter, excludesUnlisted, filterOf, matches, placesOfAddress } from './currencyFilter.js'
import type { CurrenciesBody } from './currencySchemas.js'
import type { CurrencyTable } from './currencyTable.js'
import { searchExternally } from './externalSearch.js'

export interface CurrencyCatalogueDeps {
  /** The imported currencies, without those held; opened by the first search. */
  openTable(held: readonly Currency[]): Promise<CurrencyTable>
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  /** The imported currencies by place. */
  readonly listing: CurrencyListing
  /** Whether a plugin gives addresses to pay to. */
  readonly givesAddresses: boolean
  /** The chains themselves as a source of tokens. */
  readonly chainTokens: CurrencySearchSource
  readonly sources: readonly CurrencySearchSource[]
  readonly externalTimeoutMs: number
  readonly log: Logger
}

/** Most currencies of all groups of one v1 answer together. */
const MAX_GROUPED = 1000

/** The currencies of the configuration and the imported ones as one list; the configuration wins (wire.md K.5 1). */
export class CurrencyCatalogue {
  readonly #deps: CurrencyCatalogueDeps
  readonly #held: readonly CatalogueCurrency[]
  #table: Promise<CurrencyTable> | undefined

  constructor(deps: CurrencyCatalogueDeps) {
    this.#deps = deps
    const held = deps.currencies.all()
    const takes = ({ chainId }: Currency): boolean =>
      deps.givesAddresses && deps.chains.find(chainId)?.adapter.depositAddresses !== undefined
    this.#held = held.map((currency) => ({ currency, held: true, listed: true, depositAddress: takes(currency) }))
  }

  /** A flat list, best matches first (wire.md 4.1). A bounded number of statements, whatever is found. */
  async search(body: CurrenciesBody): Promise<readonly Currency[]> {
    const filter = filterOf(this.#deps.chains, body)
    const found = await this.#onEveryChain(body, filter, await this.#find(filter))
    const currencies = found.map(({ currency }) => currency)
    if (body.useExternalSearch !== true || currencies.length >= filter.limit) return currencies
    return [...currencies, ...(await this.#external(body, filter, currencies))]
  }

  /** The same search, each asset with its currencies on all chains of the search (wire.md 4.2). */
  async searchGroups(body: CurrenciesBody): Promise<readonly (readonly Currency[])[]> {
    const found = await this.search(body)
    const groups = new Map<string, Currency[]>(found.map(({ groupId }) => [groupId, []]))
    if (groups.size === 0) return []
    const { places: _, term: __, ...filter } = filterOf(this.#deps.chains, body)
    const members = await this.#find({ ...filter, groupIds: [...groups.keys()], limit: MAX_GROUPED })
    const all = new Map(
      [...found, ...members.map(({ currency }) => currency)].map((item) => [
        currencyKey(item.chainId, item.address),
        item,
      ]),
    )
    for (const currency of all.values()) groups.get(currency.groupId)?.push(currency)
    return [...groups.values()]
  }

  async #find(filter: CurrencyFilter): Promise<readonly CatalogueCurrency[]> {
    const held = this.#held.filter((item) => matches(filter, item))
    this.#table ??= this.#deps.openTable(this.#deps.currencies.all())
    const imported = await (await this.#table).search(filter)
    return [...held, ...imported].sort(compareFound(filter.term)).slice(0, filter.limit)
  }

  /** `includeAllChains`: what was found by its address or by `tokens`, on every chain that has the same asset. */
  async #onEveryChain(
    body: CurrenciesBody,
    filter: CurrencyFilter,
    found: readonly CatalogueCurrency[],
  ): Promise<readonly CatalogueCurrency[]> {
    const isNamed = Boolean(body.address) || (body.tokens?.length ?? 0) > 0
    if (body.includeAllChains !== true || !isNamed || found.length === 0) return found
    const groupIds = [...new Set(found.map(({ currency }) => currency.groupId))]
    const everywhere = filterOf(this.#deps.chains, {}).chainIds
    const { places: _, term: __, ...rest } = filter
    const chainIds = [...new Set([...filter.chainIds, ...everywhere])]
    return this.#find({ ...rest, chainIds, groupIds })
  }

  async #external(
    body: CurrenciesBody,
    filter: CurrencyFilter,
    known: readonly Currency[],
  ): Promise<readonly Currency[]> {
    const { chainTokens: chain, sources, externalTimeoutMs, log, chains } = this.#deps
    const text = body.address || body.term?.trim()
    if (!text || excludesUnlisted(filter)) return []
    const limit = filter.limit - known.length
    const answers = await searchExternally(
      { chain, sources, timeoutMs: externalTimeoutMs, log },
      {
        chainIds: filter.chainIds,
        ...(filter.term === undefined ? {} : { term: filter.term }),
        addresses: filter.places ?? placesOfAddress(chains, filter.chainIds, text),
        limit,
      },
    )
    const seen = new Set(known.map(({ chainId, address }) => currencyKey(chainId, address)))
    const isNew = (currency: Currency): boolean => {
      const key = currencyKey(currency.chainId, currency.address)
      if (seen.has(key)) return false
      seen.add(key)
      return matches(filter, { currency, held: false, listed: false, depositAddress: false })
    }
    // A source vouches for no currency.
    const unverified = answers.map(({ metadata, ...currency }) => ({
      ...currency,
      metadata: { ...metadata, verified: false },
    }))
    return (await this.#withoutListed(unverified.filter(isNew))).slice(0, limit)
  }

  /** The operator's description of a currency goes first: the search of the catalogue has already found it or ruled it out. */
  async #withoutListed(found: readonly Currency[]): Promise<readonly Currency[]> {
    if (found.length === 0) return found
    const { currencies, listing } = this.#deps
    const imported = await listing.find(found)
    return found.filter(
      ({ chainId, address }, at) => imported[at] === undefined && currencies.find(chainId, address) === undefined,
    )
  }
}
