import type { Payout, SignedPermit } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { balanceCall, heldBy } from '../balances.js'
import type { Contracts } from '../contracts/addresses.js'
import type { EvmSettings } from '../options.js'
import { delegationsOf } from '../payout/delegations.js'
import { estimateCall, withinLimit } from '../payout/gasEstimate.js'
import { buildPayout, type PayoutForm } from '../payout/payoutForm.js'
import { type RevertReason, revertReason } from '../payout/revertReason.js'
import {
  errorOf,
  type Failure,
  failureOf,
  isAnswer,
  NOT_SIMULATED,
  type Run,
  SOLVER_SHORT,
} from '../payout/simulationFailure.js'
import { isInsufficientFunds } from '../rpc/rpcErrors.js'

export interface RunOriginDeps {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** Runs a transaction for a user as the lane would send it: one request in the usual case. */
export const runOrigin = async (payout: Payout, deps: RunOriginDeps): Promise<Run> => {
  const { rpc, settings } = deps
  const form = formOf(payout, deps)
  if ('ok' in form) return form
  const [outcome] = await rpc.gather([estimateCall(payout, form, settings)])
  if (outcome?.ok) return withinLimit(payout, form, BigInt(String(outcome.result)), settings)
  const error = errorOf(outcome)
  if (isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
  if (!isAnswer(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
  const reason = revertReason(error)
  if (payout.permit !== undefined) return refusedPermit(payout, payout.permit, { form, reason, rpc })
  const message = `The call would fail: ${reason.text.replace(/^call 0: /, '')}`
  const failure = failureOf(payout, form, 'revert', message, reason)
  const { call } = payout
  // The call is the user's; how it is run for the user is not.
  return call === undefined
    ? failure
    : { ...failure, call: { from: form.to, to: call.to, data: call.data, value: '0' } }
}

/** The form, or why there is none: what a stored payment asks for may no longer be configured. */
const formOf = (payout: Payout, { contracts, settings }: RunOriginDeps): PayoutForm | Failure => {
  const refused = (message: string): Failure => ({ ok: false, kind: 'revert', message })
  if (delegationsOf(payout).length > 0 && settings.feeMode === 'legacy')
    return refused('This chain takes no delegations of accounts.')
  try {
    return buildPayout(payout, contracts)
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error))
  }
}

const WORDS: Readonly<Record<string, string | undefined>> = {
  AlreadyDeposited: 'What was signed was used before: the order has its deposit from this account.',
  PermitExpired: 'What was signed has expired: ask for a new quote.',
  NothingArrived: 'The token moved nothing.',
}

const refusedPermit = async (
  payout: Payout,
  { terms: { owner, money } }: SignedPermit,
  { form, reason, rpc }: { readonly form: PayoutForm; readonly reason: RevertReason; readonly rpc: JsonRpcClient },
): Promise<Failure> => {
  const known = WORDS[reason.name ?? '']
  const isDone = reason.name === 'AlreadyDeposited'
  if (known !== undefined) {
    return { ...failureOf(payout, form, 'revert', known, reason), ...(isDone ? { done: true } : {}) }
  }
  const query = { address: owner, currency: money.currency }
  const [balance] = await rpc.gather([balanceCall(query)])
  const held = balance?.ok === true ? heldBy(query, balance) : null
  const message =
    held !== null && held < money.amount
      ? `The account holds ${held} of the token, ${money.amount} was signed for.`
      : `The token refuses what was signed: ${reason.text}`
  return failureOf(payout, form, 'revert', message, reason)
}
