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
  /** Gas that the quote has charged its route for, native smallest unit; null: none. */
  readonly charged: bigint | null
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Candidates that may bear the cost of a call, in order. A quote that charged its route pays that amount, and no sponsor pays again; above it the
 * operator pays. Else the sponsor pays all or nothing (wire.md D.9), else the operator, under the caps on losses.
 */
export const bearersOf = async (deps: BearerDeps, ask: BearerAsk): Promise<readonly OriginBearer[]> => {
  if (ask.charged !== null) return [{ by: 'route', charged: ask.charged.toString() }]
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
