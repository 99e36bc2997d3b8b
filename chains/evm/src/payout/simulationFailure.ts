import type { Payout, Simulation } from '@causeway/core/chain'
import type { JsonRpcError, RpcOutcome } from '@causeway/core/chain-kit'
import { isRevert } from '../rpc/rpcErrors.js'
import type { PayoutForm } from './payoutForm.js'
import type { RevertReason } from './revertReason.js'

export type Failure = Extract<Simulation, { ok: false }>

/** A simulation before it is said at which block. */
export type Run = { readonly ok: true; readonly gas: bigint; readonly leastAmount?: bigint } | Failure

export const SOLVER_SHORT = 'The solver does not hold enough of this currency now.'
export const NOT_SIMULATED = 'The node could not simulate the payment. Try again.'

/** A payment that cannot be made, with the transaction that was tried. */
export const failureOf = (
  payout: Payout,
  form: PayoutForm,
  kind: Failure['kind'],
  message: string,
  reason?: RevertReason,
): Failure => {
  const call = { from: payout.from, to: form.to, data: form.data, value: form.value.toString() }
  return { ok: false, kind, message, call, ...(reason === undefined ? {} : { data: reason.data }) }
}

export const errorOf = (outcome: RpcOutcome | undefined): JsonRpcError =>
  outcome === undefined || outcome.ok ? { code: 0, message: 'no answer' } : outcome.error

/** True when the node ran the call and it failed, gas included. */
export const isAnswer = (error: JsonRpcError): boolean =>
  isRevert(error) || /gas required exceeds|intrinsic gas|out ?of ?gas|exceeds allowance/i.test(error.message)
