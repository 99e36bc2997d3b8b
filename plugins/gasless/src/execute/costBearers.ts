import {
  type BalanceCurrency,
  type Caller,
  type DatabasePool,
  formatUsd,
  type OriginBearer,
  readFundingWallet,
} from '@causeway/core/plugin'
import type { ExecutionCost } from './executionCost.js'

export interface BearerDeps {
  readonly pool: DatabasePool
  readonly balanceCurrency: BalanceCurrency | null
}

export interface BearerAsk {
  readonly caller: Extract<Caller, { kind: 'integrator' }>
  readonly cost: ExecutionCost
  readonly subsidizeFees: boolean
  /** The quote has charged its route for it. */
  readonly isCharged: boolean
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Who may bear the cost of a call, the first that can does: what its quote has charged already is charged once; else the sponsor, all of it or
 * nothing (wire.md D.9); else it is our loss, under its cap.
 */
export const bearersOf = async (deps: BearerDeps, ask: BearerAsk): Promise<readonly OriginBearer[]> => {
  if (ask.isCharged) return [{ by: 'route' }]
  const loss = { by: 'loss' as const, usd: formatUsd(ask.cost.usd) }
  const sponsor = ask.subsidizeFees ? await sponsorOf(deps, ask) : null
  return sponsor === null ? [loss] : [sponsor, loss]
}

/** Null: nobody, or too little is free. A key that was added on the word of a browser spends nobody's balance. */
const sponsorOf = async (
  { pool, balanceCurrency }: BearerDeps,
  { caller, cost: { inBalance }, now }: BearerAsk,
): Promise<OriginBearer | null> => {
  if (balanceCurrency === null || inBalance === null || caller.proxied === true) return null
  const wallet = await readFundingWallet(pool, caller.integratorId, balanceCurrency, now)
  if (wallet === null || wallet.free < inBalance) return null
  const { chainId, address: currency } = balanceCurrency
  return { by: 'sponsor', holder: wallet.wallet, chainId, currency, amount: inBalance.toString() }
}
