import { findDepositOfRequest, purposeOf } from '@causeway/core/money-path'
import { ActionRefusedError, type Command, findAddresses } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import { requireDeposit } from '../parked/parkedCommands.js'
import { readRequestId } from '../parked/payBack.js'
import { REFUND_OPTIONS, runRefund } from '../parked/refundCommands.js'

/** The number of a deposit, by itself or by the request that owns it. @throws ActionRefusedError */
const depositNumber = async (deps: OperatorDeps, text: string): Promise<string> => {
  if (!/^0x/i.test(text.trim())) return (await requireDeposit(deps, text)).id
  const requestId = readRequestId(text)
  const deposit = await findDepositOfRequest(deps.pool, requestId)
  if (deposit === null) throw new ActionRefusedError(`Request ${requestId} is unknown or has no deposit.`)
  return deposit.id
}

/** The address of last resort of the deposit's quote. @throws ActionRefusedError where it may not be paid */
const requireRecovery = async (deps: OperatorDeps, id: string): Promise<string> => {
  const deposit = await requireDeposit(deps, id)
  const [address] = await findAddresses(deps.pool, { depositId: id })
  if (address === undefined) {
    throw new ActionRefusedError(
      `Deposit ${id} did not come by an address to pay to; causeway parked refund ${id} sends it back.`,
    )
  }
  if (address.recoveryAddress === null) {
    throw new ActionRefusedError(
      `The quote of deposit ${id} named no recoveryAddress; causeway parked refund ${id} --to <address> sends it where you say.`,
    )
  }
  if (purposeOf(deposit) === 'excess') {
    throw new ActionRefusedError(
      `Deposit ${id} was filled, and the recovery address is for what can neither be filled nor refunded. What is left of it goes back by causeway parked refund ${id}.`,
    )
  }
  if (address.chainId !== deposit.chainId) {
    throw new ActionRefusedError(
      `The recovery address was given for chain ${address.chainId}, and deposit ${id} is on chain ${deposit.chainId}. Whoever named it may not hold it there: ask, then causeway parked refund ${id} --to <address>.`,
    )
  }
  return address.recoveryAddress
}

/** `causeway deposit-addresses recover <deposit>` (wire.md E.5, K.4 2). */
export const addressRecoverCommand = (deps: OperatorDeps): Command => ({
  name: 'deposit-addresses recover',
  console: 'money',
  confirmWith: 'deposit',
  description: "Pay what can neither be filled nor refunded to the integrator's recovery address, less its gas",
  arguments: [{ name: 'deposit', description: 'Its number, or the id of its request', required: true }],
  options: REFUND_OPTIONS,
  run: async ({ arguments: [text = ''], options, ...input }) => {
    const id = await depositNumber(deps, text)
    const to = await requireRecovery(deps, id)
    await runRefund(deps, id, 'deposit-addresses recover', { ...input, options: { ...options, to } })
  },
})
