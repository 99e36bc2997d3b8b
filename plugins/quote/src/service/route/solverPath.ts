import type { Currency, CurrencyRegistry } from '@causeway/core'
import type { SwapOffer } from '@causeway/core/chain'
import type { QuoteSettings } from '../../options.js'
import type { QuoteInput } from '../input/quoteInput.js'
import type { ResolvedRoute } from './resolveRoute.js'

/** What is deposited and what the solver pays for it; a swap stands before or behind where that is not the user's. */
export interface SolverPair {
  readonly deposit: Currency
  readonly payout: Currency
}

/** A pair with the swaps around it. */
export interface SolverPath extends SolverPair {
  /** What the user has -> `deposit`; null: the user has it. */
  readonly originOffer: SwapOffer | null
  /** `payout` -> what the recipient wants; null: that is it. */
  readonly destinationOffer: SwapOffer | null
}

const isSame = (one: Currency, other: Currency): boolean =>
  one.chainId === other.chainId && one.address === other.address

const depositChoices = (
  { origin, held }: ResolvedRoute,
  input: QuoteInput,
  currencies: CurrencyRegistry,
): readonly Currency[] => {
  const { adapter, config } = origin.chain
  const own = held.origin ? [origin.currency] : []
  if (adapter.swaps === undefined || adapter.swaps.deposits === null || input.disableOriginSwaps) return own
  return [...own, ...currencies.ofChain(config.id).filter((currency) => !isSame(currency, origin.currency))]
}

const payoutChoices = ({ destination, held }: ResolvedRoute, currencies: CurrencyRegistry): readonly Currency[] => {
  const { adapter, config } = destination.chain
  const own = held.destination ? [destination.currency] : []
  if (adapter.swaps?.payouts !== true) return own
  return [...own, ...currencies.ofChain(config.id).filter((currency) => !isSame(currency, destination.currency))]
}

/**
 * The pairs worth pricing, best prospects first: fewer swaps before more, one asset on both sides before two. One asset
 * that the solver holds at both ends needs no other.
 */
export const listPairs = (
  route: ResolvedRoute,
  input: QuoteInput,
  currencies: CurrencyRegistry,
  settings: Pick<QuoteSettings, 'maxPaths' | 'crossAssetInventory'>,
): readonly SolverPair[] => {
  const isDirect = route.held.origin && route.held.destination
  if (isDirect && route.origin.currency.groupId === route.destination.currency.groupId) {
    return [{ deposit: route.origin.currency, payout: route.destination.currency }]
  }
  const effort = ({ deposit, payout }: SolverPair): number =>
    (isSame(deposit, route.origin.currency) ? 0 : 2) +
    (isSame(payout, route.destination.currency) ? 0 : 2) +
    (deposit.groupId === payout.groupId ? 0 : 1)
  return depositChoices(route, input, currencies)
    .flatMap((deposit) => payoutChoices(route, currencies).map((payout) => ({ deposit, payout })))
    .filter(({ deposit, payout }) => settings.crossAssetInventory || deposit.groupId === payout.groupId)
    .sort((one, other) => effort(one) - effort(other))
    .slice(0, settings.maxPaths)
}

/** Which sides of a pair need a swap. */
export const swapsOf = (
  { origin, destination }: ResolvedRoute,
  { deposit, payout }: SolverPair,
): { readonly origin: boolean; readonly destination: boolean } => ({
  origin: !isSame(deposit, origin.currency),
  destination: !isSame(payout, destination.currency),
})
