import type { Hex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { firstWord } from '../read/balances.js'
import { encodeAllowance, encodeBalanceOf } from './contracts/staticCall.js'
import { estimateCall } from './fees/gasEstimate.js'
import type { PayoutForm } from './payoutForm.js'
import { type PayoutRunDeps, readRun, tryForm } from './payoutRun.js'
import type { RevertReason } from './revertReason.js'
import { type Failure, failureOf, type Run, SOLVER_SHORT } from './simulationFailure.js'

const NOT_ALLOWED = 'The solver has not allowed the router of this chain to take enough of this currency.'

/** Errors of the routers when what is left or comes out cannot be handed over: all of it goes to the recipient. */
const UNPAID: ReadonlySet<string> = new Set(['PaymentFailed', 'TransferFailed', 'SweepFailed'])

/** Runs a payment that does more than to move one currency to one account: swap, calls, top-up, or a withdrawal. */
export const runWhole = async (payout: Payout, deps: PayoutRunDeps): Promise<Run> => {
  const form = tryForm(payout, deps)
  if ('ok' in form) return form
  const [outcome] = await deps.rpc.gather([estimateCall(payout, form, deps.settings)])
  const run = readRun(payout, form, outcome, deps.settings)
  if ('ok' in run) return run
  const { reason } = run
  if (reason.name === 'TransferFromFailed') return notPulled(payout, form, reason, deps)
  if (UNPAID.has(reason.name ?? '')) {
    const message = `The recipient cannot receive the payment: ${reason.text}`
    return failureOf(payout, form, 'recipient-cannot-receive', message, reason)
  }
  const failure = failureOf(payout, form, 'revert', `The transaction would fail: ${reason.text}`, reason)
  const call = failedCall(payout, form, reason)
  return call === null ? failure : { ...failure, call }
}

/** The router could not take the solver's tokens: there are too few, or it may not. */
const notPulled = async (
  payout: Payout,
  form: PayoutForm,
  reason: RevertReason,
  { rpc }: PayoutRunDeps,
): Promise<Failure> => {
  const { currency, amount } = payout.money
  const read = (data: Hex): RpcCall => ({ method: 'eth_call', params: [{ to: currency, data }, 'latest'] })
  const [balance, allowance] = await rpc.gather([
    read(encodeBalanceOf(payout.from)),
    read(encodeAllowance(payout.from, form.to)),
  ])
  const isLess = (outcome: RpcOutcome | undefined) => outcome?.ok && firstWord(String(outcome.result)) < amount
  if (isLess(balance)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
  if (isLess(allowance)) return failureOf(payout, form, 'insufficient-funds', NOT_ALLOWED)
  return failureOf(payout, form, 'revert', 'The token refuses the transfer to the router.', reason)
}

/** The call of the order that stopped the payment, as the router would make it. */
const failedCall = (
  payout: Payout,
  form: PayoutForm,
  { failed }: RevertReason,
): NonNullable<Failure['call']> | null => {
  if (failed?.of !== 'calls') return null
  const ahead = payout.swap === undefined && (payout.topup ?? 0n) > 0n ? 1 : 0
  const call = payout.calls[failed.index - ahead]
  return call === undefined ? null : { from: form.to, to: call.to, data: call.data, value: call.value.toString() }
}
