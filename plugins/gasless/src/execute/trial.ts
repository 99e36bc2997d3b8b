import { type Hex, ServiceError } from '@causeway/core'
import type { FailureTree, Payout, Simulation } from '@causeway/core/chain'
import { type Chain, HttpError, payoutForm } from '@causeway/core/plugin'
import { type ExecuteInput, refuse } from './executeInput.js'

export type Passed = Extract<Simulation, { ok: true }>

/** The transaction as the lane will send it. */
export const payoutOf = (
  chain: Chain,
  { sender, orderId, input }: { readonly sender: string; readonly orderId: Hex; readonly input: ExecuteInput },
): Payout => {
  const { call, delegations } = input
  return {
    purpose: 'origin',
    orderId,
    from: sender,
    to: { address: call.to },
    money: { currency: chain.adapter.native.address, amount: 0n },
    ...payoutForm({ origin: { call, ...(delegations.length === 0 ? {} : { delegations }) } }),
  }
}

/** A call that would fail (wire.md 2.6): the label, plain words, and where it does. */
const wouldFail = (requestId: Hex, tree: FailureTree): HttpError =>
  new HttpError(400, tree.revert.label, { fields: { message: tree.revert.message, requestId, details: tree } })

const unexplained = (requestId: Hex, message: string): HttpError =>
  new HttpError(400, 'EXECUTION_REVERTED', { fields: { message, requestId } })

/**
 * Runs a call as it will be sent; the gas it takes. Throws HttpError 400 where it, or a user operation in it, would fail, or takes more
 * than `maxGas`, and ServiceError SERVICE_UNAVAILABLE where nothing tells, or the sending account is short.
 */
export const tryOut = async (
  chain: Chain,
  { payout, requestId, maxGas }: { readonly payout: Payout; readonly requestId: Hex; readonly maxGas: bigint },
): Promise<Passed> => {
  const { adapter } = chain
  const simulation = await adapter.simulate(payout, 'exact')
  if (!simulation.ok && (simulation.kind === 'transient' || simulation.kind === 'insufficient-funds')) {
    throw new ServiceError('SERVICE_UNAVAILABLE', busyText(simulation.kind))
  }
  const tree = (await adapter.explainFailure?.(payout, simulation)) ?? null
  if (tree !== null) throw wouldFail(requestId, tree)
  if (!simulation.ok) throw unexplained(requestId, simulation.message)
  if (simulation.gas > maxGas) throw refuse(`The call takes ${simulation.gas} gas; at most ${maxGas} is sent`)
  return simulation
}

const busyText = (kind: 'transient' | 'insufficient-funds'): string =>
  kind === 'transient'
    ? 'The chain could not run the call now. Try again.'
    : 'The account that sends calls on this chain is short of gas now. Try later.'
