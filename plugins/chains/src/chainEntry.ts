import type { Currency } from '@causeway/core'
import type { Chain, PermitWays, ServiceGap } from '@causeway/core/plugin'
import type { Static } from '@sinclair/typebox'
import type { ChainEntry } from './chainSchemas.js'
import type { ChainListing } from './chainsOptions.js'

export interface ChainEntryInput {
  readonly chain: Chain
  /** The currencies the solver holds there, native included when held. */
  readonly held: readonly Currency[]
  readonly listing: ChainListing
  readonly lagging: boolean
  /** Why the chain is not served now although it is switched on, by direction. */
  readonly paused: ServiceGap
  /** How those held are taken by a signature. */
  readonly permits: PermitWays
}

const NO_FEES = { withdrawalFee: 0, depositFee: 0, surgeEnabled: false }

const tokenOf = ({ groupId, symbol, name, address, decimals }: Currency) => ({
  id: groupId,
  symbol,
  name,
  address,
  decimals,
})

const isNative = (currency: Currency): boolean => currency.metadata.isNative

const nativeOf = ({ adapter }: Chain, held: readonly Currency[]) => {
  const own = held.find(isNative)
  if (own !== undefined) return { ...tokenOf(own), supportsBridging: true }
  const { symbol, name, address, decimals } = adapter.native
  return { id: symbol.toLowerCase(), symbol, name, address, decimals, supportsBridging: false }
}

const featuredOf = ({ adapter }: Chain, held: readonly Currency[], featured: readonly string[] | undefined) => {
  const wanted = featured && new Set(featured.map((address) => adapter.normalizeCurrency(address)))
  return held
    .filter((currency) => (wanted ? wanted.has(currency.address) : !isNative(currency)))
    .map((currency) => ({
      ...tokenOf(currency),
      supportsBridging: true,
      metadata: { logoURI: currency.metadata.logoURI },
    }))
}

/** `All`: swaps reach any token, as what is deposited and as what is paid (wire.md 4.6). */
const tokenSupportOf = ({ adapter: { swaps } }: Chain): 'All' | 'Limited' =>
  swaps !== undefined && swaps.sources.length > 0 && swaps.payouts && swaps.deposits !== null ? 'All' : 'Limited'

const linksOf = (
  { config, adapter }: Chain,
  { publicRpc, explorerName, explorerPaths, explorerQueryParams }: ChainListing,
) => ({
  // Never the operator's own endpoints: their URLs carry credentials.
  httpRpcUrl: publicRpc?.http ?? '',
  wsRpcUrl: publicRpc?.ws ?? '',
  explorerUrl: config.explorerUrl ?? '',
  explorerName: explorerName ?? '',
  // Explorers of one kind of chain differ, so the operator who names one may say its paths.
  explorerPaths: { ...adapter.explorerPaths(), ...explorerPaths },
  explorerQueryParams: explorerQueryParams ?? null,
})

const looksOf = ({ config }: Chain, listing: ChainListing) => ({
  iconUrl: config.iconUrl ?? null,
  logoUrl: listing.logoUrl ?? null,
  brandColor: listing.brandColor ?? null,
  baseChainId: listing.baseChainId ?? null,
  statusMessage: listing.statusMessage ?? null,
  tags: listing.tags ?? [],
})

/** A reason for both directions stands once. */
const statusOf = ({ from, to }: ServiceGap) => {
  if (from === null && to === null) return {}
  const isInBoth = from !== null && to?.includes(from)
  return { statusMessage: isInBoth ? to : [from, to].filter((text) => text !== null).join(' ') }
}

/** One chain as `GET /chains` lists it, every leaf present (wire.md 4.6, K.3 9). */
export const chainEntry = ({
  chain,
  held,
  listing,
  lagging,
  paused,
  permits,
}: ChainEntryInput): Static<typeof ChainEntry> => {
  const { config, adapter } = chain
  return {
    id: config.id,
    name: config.slug,
    displayName: config.name,
    ...linksOf(chain, listing),
    depositEnabled: config.enabled && paused.to === null,
    tokenSupport: listing.tokenSupport ?? tokenSupportOf(chain),
    disabled: !config.enabled || (paused.from !== null && paused.to !== null),
    partialDisableLimit: 0,
    blockProductionLagging: lagging,
    currency: nativeOf(chain, held),
    ...NO_FEES,
    featuredTokens: featuredOf(chain, held, listing.featured),
    erc20Currencies: held
      .filter((currency) => !isNative(currency))
      .map((currency) => ({
        ...tokenOf(currency),
        supportsBridging: true,
        supportsPermit: permits.get(currency.address) === 'permit',
        permit2: permits.get(currency.address) === 'permit2',
        ...NO_FEES,
      })),
    solverCurrencies: held.map(tokenOf),
    ...looksOf(chain, listing),
    ...statusOf(paused),
    contracts: listing.contracts ?? {},
    vmType: adapter.vmType,
    solverAddresses: [config.solver],
    protocol: {
      v2: { chainId: config.slug, depository: adapter.depository, depositoryVault: listing.depositoryVault ?? null },
    },
  }
}
