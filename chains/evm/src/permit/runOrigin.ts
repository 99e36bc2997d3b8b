import type { Payout, SignedPermit } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { estimateCall } from '../payout/fees/gasEstimate.js'
import type { PayoutForm } from '../payout/payoutForm.js'
import { type PayoutRunDeps, readRun, tryForm } from '../payout/payoutRun.js'
import type { RevertReason } from '../payout/revertReason.js'
import { type Failure, failureOf, type Run } from '../payout/simulationFailure.js'
import { balanceCall, heldBy } from '../read/balances.js'

/** Runs a transaction for a user as the lane would send it: one request in the usual case. */
export const runOrigin = async (payout: Payout, deps: PayoutRunDeps): Promise<Run> => {
  const { rpc, settings } = deps
  const form = tryForm(payout, deps)
  if ('ok' in form) return form
  const [outcome] = await rpc.gather([estimateCall(payout, form, settings)])
  const run = readRun(payout, form, outcome, settings)
  if ('ok' in run) return run
  const { reason } = run
  if (payout.permit !== undefined) return refusedPermit(payout, payout.permit, { form, reason, rpc })
  const message = `The call would fail: ${reason.text.replace(/^call 0: /, '')}`
  const failure = failureOf(payout, form, 'revert', message, reason)
  const { call } = payout
  // The call is the user's; how it is run for the user is not.
  return call === undefined
    ? failure
    : { ...failure, call: { from: form.to, to: call.to, data: call.data, value: '0' } }
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
