import type { Hex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import type { JsonRpcClient, RpcCall, RpcOutcome } from '@causeway/core/chain-kit'
import { firstWord } from '../balances.js'
import type { Contracts } from '../contracts/addresses.js'
import { encodeAllowance, encodeBalanceOf } from '../contracts/staticCall.js'
import type { EvmSettings } from '../options.js'
import { isInsufficientFunds } from '../rpc/rpcErrors.js'
import { delegationsOf } from './delegations.js'
import { estimateCall, withinLimit } from './gasEstimate.js'
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

export interface WholePaymentDeps {
  readonly rpc: JsonRpcClient
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

const NOT_ALLOWED = 'The solver has not allowed the router of this chain to take enough of this currency.'

/** Errors of the routers when what is left or comes out cannot be handed over: all of it goes to the recipient. */
const UNPAID: ReadonlySet<string> = new Set(['PaymentFailed', 'TransferFailed', 'SweepFailed'])

/** Runs a payment that does more than to move one currency to one account: swap, calls, top-up, or a withdrawal. */
export const runWhole = async (payout: Payout, deps: WholePaymentDeps): Promise<Run> => {
  const form = formOf(payout, deps)
  if ('ok' in form) return form
  const [outcome] = await deps.rpc.gather([estimateCall(payout, form, deps.settings)])
  if (outcome?.ok) return withinLimit(payout, form, BigInt(String(outcome.result)), deps.settings)
  const error = errorOf(outcome)
  if (isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
  if (!isAnswer(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
  const reason = revertReason(error)
  if (reason.name === 'TransferFromFailed') return notPulled(payout, form, reason, deps)
  if (UNPAID.has(reason.name ?? '')) {
    const message = `The recipient cannot receive the payment: ${reason.text}`
    return failureOf(payout, form, 'recipient-cannot-receive', message, reason)
  }
  const failure = failureOf(payout, form, 'revert', `The transaction would fail: ${reason.text}`, reason)
  const call = failedCall(payout, form, reason)
  return call === null ? failure : { ...failure, call }
}

/** The form, or why there is none: what a stored payment asks for may no longer be configured. */
const formOf = (payout: Payout, { contracts, settings }: WholePaymentDeps): PayoutForm | Failure => {
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

/** The router could not take the solver's tokens: there are too few, or it may not. */
const notPulled = async (
  payout: Payout,
  form: PayoutForm,
  reason: RevertReason,
  { rpc }: WholePaymentDeps,
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
