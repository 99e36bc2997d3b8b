import type { Payout } from '@causeway/core/chain'
import type { JsonRpcClient, RpcOutcome } from '@causeway/core/chain-kit'
import type { Contracts } from '../address/addresses.js'
import type { EvmSettings } from '../options.js'
import { isInsufficientFunds } from '../rpc/rpcErrors.js'
import { delegationsOf } from './delegations.js'
import { withinLimit } from './fees/gasEstimate.js'
import { buildPayout, type PayoutForm } from './payoutForm.js'
import { type RevertReason, revertReason } from './revertReason.js'
import {
  errorOf,
  type Failure,
  failureOf,
  isAnswer,
  NOT_SIMULATED,
  type Run,
  SOLVER_SHORT,
} from './simulationFailure.js'

export interface PayoutRunDeps {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** The form, or why there is none: what a stored payment asks for may no longer be configured. */
export const tryForm = (payout: Payout, { contracts, settings }: PayoutRunDeps): PayoutForm | Failure => {
  const refused = (message: string): Failure => ({ ok: false, kind: 'revert', message })
  if (delegationsOf(payout).length > 0 && settings.feeMode === 'legacy') {
    return refused('This chain takes no delegations of accounts.')
  }
  try {
    return buildPayout(payout, contracts)
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

/** What a node answered to `estimateCall`: the gas, what stands against a try now, or with which reason the chain refuses it. */
export const readRun = (
  payout: Payout,
  form: PayoutForm,
  outcome: RpcOutcome | undefined,
  settings: EvmSettings,
): Run | { readonly reason: RevertReason } => {
  if (outcome?.ok) return withinLimit(payout, form, BigInt(String(outcome.result)), settings)
  const error = errorOf(outcome)
  if (isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
  if (!isAnswer(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
  return { reason: revertReason(error) }
}
