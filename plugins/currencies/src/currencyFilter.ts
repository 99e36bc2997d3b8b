import type { ChainRegistry } from '@causeway/core/plugin'
import { type CatalogueCurrency, currencyKey, rankOf } from './catalogueCurrency.js'
import { type CurrenciesBody, DEFAULT_LIMIT } from './currencySchemas.js'

export interface TokenPlace {
  readonly chainId: number
  readonly address: string
}

/** A search with everything resolved: canonical addresses, and only chains that may be shown. */
export interface CurrencyFilter {
  readonly chainIds: readonly number[]
  /** Lower case; undefined when nothing is searched for. */
  readonly term?: string
  /** The result holds these places only. */
  readonly places?: readonly TokenPlace[]
  readonly groupIds?: readonly string[]
  readonly verified?: boolean
  readonly listedOnly: boolean
  readonly depositAddressOnly: boolean
  readonly limit: number
}

/** Chains the search covers: those asked for, else all but the private ones. Unknown chains have no currencies here. */
const chainsOf = (chains: ChainRegistry, body: CurrenciesBody): readonly number[] => {
  if (body.chainIds !== undefined) return [...new Set(body.chainIds)].filter((id) => chains.find(id) !== undefined)
  // Whoever names a token of a private chain knows of it already.
  const named = new Set(body.tokens?.map(chainIdOf))
  return chains
    .all()
    .filter(({ config }) => config.privateId === undefined || named.has(config.id))
    .map(({ config }) => config.id)
}

const chainIdOf = (token: string): number => Number(token.slice(0, token.indexOf(':')))

const placeOf = (chains: ChainRegistry, chainId: number, text: string): TokenPlace[] => {
  const address = chains.find(chainId)?.adapter.normalizeCurrency(text) ?? null
  return address === null ? [] : [{ chainId, address }]
}

/** Where `address` may be: on each chain that reads it as an address, in that chain's own form. */
export const placesOfAddress = (
  chains: ChainRegistry,
  chainIds: readonly number[],
  address: string,
): readonly TokenPlace[] => chainIds.flatMap((chainId) => placeOf(chains, chainId, address))

const placesOf = (chains: ChainRegistry, chainIds: readonly number[], body: CurrenciesBody) => {
  const tokens = body.tokens?.flatMap((token) => placeOf(chains, chainIdOf(token), token.slice(token.indexOf(':') + 1)))
  const ofAddress = body.address === undefined ? undefined : placesOfAddress(chains, chainIds, body.address)
  if (tokens === undefined || ofAddress === undefined) return tokens ?? ofAddress
  const wanted = new Set(tokens.map(({ chainId, address }) => currencyKey(chainId, address)))
  return ofAddress.filter(({ chainId, address }) => wanted.has(currencyKey(chainId, address)))
}

/** Reads a body into a filter. Pure; an empty text counts as not given. */
export const filterOf = (chains: ChainRegistry, given: CurrenciesBody): CurrencyFilter => {
  const { address, currencyId, ...rest } = given
  const body: CurrenciesBody = { ...rest, ...(address ? { address } : {}), ...(currencyId ? { currencyId } : {}) }
  const chainIds = chainsOf(chains, body)
  const term = body.term?.trim().toLowerCase()
  const places = placesOf(chains, chainIds, body)
  return {
    chainIds,
    ...(term ? { term } : {}),
    ...(places === undefined ? {} : { places }),
    ...(body.currencyId === undefined ? {} : { groupIds: [body.currencyId] }),
    ...(body.verified === undefined ? {} : { verified: body.verified }),
    listedOnly: body.defaultList === true,
    depositAddressOnly: body.depositAddressOnly === true,
    limit: body.limit ?? DEFAULT_LIMIT,
  }
}

/** Whether no currency from outside the catalogue can belong to the result. */
export const excludesUnlisted = ({ verified, listedOnly, depositAddressOnly }: CurrencyFilter): boolean =>
  verified === true || listedOnly || depositAddressOnly

/** Whether a currency belongs to the result. */
export const matches = (filter: CurrencyFilter, { currency, listed, depositAddress }: CatalogueCurrency): boolean =>
  filter.chainIds.includes(currency.chainId) &&
  (filter.term === undefined || rankOf(currency, filter.term) !== null) &&
  (filter.groupIds === undefined || filter.groupIds.includes(currency.groupId)) &&
  (filter.verified === undefined || currency.metadata.verified === filter.verified) &&
  (!filter.listedOnly || listed) &&
  (!filter.depositAddressOnly || depositAddress) &&
  (filter.places === undefined ||
    filter.places.some((place) => place.chainId === currency.chainId && place.address === currency.address))
