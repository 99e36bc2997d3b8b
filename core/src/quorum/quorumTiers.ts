import type { ChainConfig, QuorumTier } from '../chain/chainPackage.js'
import type { Chain } from '../chain/chainRegistry.js'
import { countProviders } from '../chain/endpoint/endpointHealth.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Usd } from '../money/usd.js'
import { parseUsd } from '../money/usdMath.js'

/** Above this worth a deposit is confirmed by two providers, where there are two and nothing else is configured. */
export const DEFAULT_QUORUM_ABOVE_USD = '1000'

/** What must be known of a deposit or a dead payout before money moves because of it. */
export interface QuorumDemand {
  /** Providers that must say the same; 1 is whichever was asked. */
  readonly agreeing: number
  /** Blocks on the deposit, its own counted. */
  readonly confirmations: number
}

type Settings = Pick<ChainConfig, 'quorum' | 'rpc'>

const tiersOf = ({ quorum, rpc }: Settings): readonly QuorumTier[] =>
  quorum ?? (countProviders(rpc) >= 2 ? [{ aboveUsd: DEFAULT_QUORUM_ABOVE_USD, agreeing: 2 }] : [])

const holdsFor = ({ aboveUsd }: QuorumTier, usd: Usd | null): boolean => {
  const above = parseUsd(aboveUsd)
  if (above === null) throw new Error(`${aboveUsd} is no amount of dollars.`)
  return usd === null || usd > above
}

/** The strictest of all tiers an amount is above; null, an amount nobody can price, is above every one (invariant 3). */
export const quorumDemand = (config: Settings & Pick<ChainConfig, 'confirmations'>, usd: Usd | null): QuorumDemand => {
  const { fill } = config.confirmations
  const matching = tiersOf(config).filter((tier) => holdsFor(tier, usd))
  return {
    agreeing: Math.max(1, ...matching.map(({ agreeing }) => agreeing)),
    confirmations: Math.max(fill, ...matching.map(({ confirmations = fill }) => confirmations)),
  }
}

/** Providers that must agree on what any amount may depend on: as many as the strictest tier asks for (faults.md invariant 3). */
export const mostAgreeing = (config: Settings): number =>
  Math.max(1, ...tiersOf(config).map(({ agreeing }) => agreeing))

/** Providers a chain needs to be served at all: the fewest any of its tiers asks for, at least one. */
export const neededProviders = (config: Settings): number => {
  const [first = 1, ...others] = tiersOf(config).map(({ agreeing }) => agreeing)
  return Math.min(first, ...others)
}

/** How many providers of a chain can be believed now; null where its adapter does not tell. */
export const trustedProviders = ({ adapter }: Pick<Chain, 'adapter'>): number | null => {
  const endpoints = adapter.endpoints?.()
  if (endpoints === undefined) return null
  return new Set(endpoints.flatMap(({ state, provider }) => (state === 'ok' ? [provider] : []))).size
}

/** True when enough providers of a chain can be believed for money to depend on it. */
export const hasQuorum = (chain: Chain, needed = neededProviders(chain.config)): boolean => {
  const trusted = trustedProviders(chain)
  // The failure of the only provider shows in whatever is asked of it, with its own code.
  return trusted === null || needed === 1 || trusted >= needed
}

/**
 * Stops what depends on a chain most of whose providers are gone, however well the last one answers (faults.md F06).
 * Throws ServiceError RPC_HTTP_ERROR, which quotes turn into the code of their path (wire.md K.1 8).
 */
export const requireQuorum = (chain: Chain, needed?: number): void => {
  if (hasQuorum(chain, needed)) return
  throw new ServiceError(
    'RPC_HTTP_ERROR',
    `Too few nodes of chain ${chain.config.id} can be trusted now. Try again later.`,
  )
}
