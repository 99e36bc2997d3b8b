import {
  type OriginFailure,
  originTransactionOf,
  type StoredPayout,
  toChainPayout,
  troubleOf,
} from '@causeway/core/money-path'
import type { FailReason } from '@causeway/core/plugin'
import type { FailedSimulation } from '../deciding/refusalReason.js'
import type { LaneContext } from '../laneContext.js'

const REVERTED = 'it reverted on the chain'

/** Why the chain refuses what a user signed, in the words of wire.md C.2. */
export const originFailure = async (
  lane: LaneContext,
  payout: StoredPayout,
  refused: FailedSimulation,
): Promise<OriginFailure> => ({
  reason: await reasonOf(lane, payout),
  details: troubleOf(refused.message),
  ...(refused.done === true ? { deposited: true } : {}),
})

/** Why a transaction for a user reverted. Of a permit the chain is asked again: a block tells no reason. */
export const originRevert = async (lane: LaneContext, payout: StoredPayout): Promise<OriginFailure> => {
  const reverted = { reason: 'TRANSACTION_REVERTED', details: payout.data.revert ?? REVERTED } as const
  if (originTransactionOf(payout).kind === 'call') return reverted
  const simulation = await lane.chain.adapter.simulate(toChainPayout(payout), 'bound')
  const isAnswer = !simulation.ok && simulation.kind !== 'transient' && simulation.kind !== 'insufficient-funds'
  return isAnswer ? originFailure(lane, payout, simulation) : reverted
}

const reasonOf = async ({ chain, clock }: LaneContext, payout: StoredPayout): Promise<FailReason> => {
  const origin = originTransactionOf(payout)
  if (origin.kind === 'call') return 'TRANSACTION_REVERTED'
  const { owner, expiresAt } = origin.permit.terms
  if (clock.now() > expiresAt * 1000) return 'SIGNATURE_EXPIRED'
  const { amounts } = await chain.adapter.getBalances([{ address: owner, currency: payout.currency }])
  const [balance] = amounts
  return balance !== undefined && balance !== null && balance < payout.amount
    ? 'GASLESS_PERMIT_BALANCE_TOO_LOW'
    : 'TRANSACTION_REVERTED'
}
