import { bytesToHex, ServiceError } from '@causeway/core'
import type { Payout, PreparedAttempt } from '@causeway/core/chain'
import { compileMessage, type LaneTransaction, preparedOf, refusedTransaction } from '../../lane/laneTransaction.js'
import { sequenceGuard } from '../../lane/sequenceGuard.js'
import { budgetInstructions, unitLimit } from '../../payout/budget.js'
import type { FeeSource } from '../../payout/fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../../payout/fees/networkFees.js'
import { pricedAccounts, signaturesOf } from '../../payout/payoutFees.js'
import type { RecentBlockhash } from '../../rpc/head/headSource.js'
import type { SweepForms } from './sweepForm.js'
import { noSweeps, openingCost } from './sweepSimulator.js'

export interface SweepAttemptDeps {
  /** Null where the configuration has no deposit addresses. */
  readonly sweeps: SweepForms | null
  readonly fees: FeeSource
}

/**
 * A sweep of what lies at the address now. One that would move nothing is prepared without bytes: signing refuses it alone, and the
 * other payouts of the lane go on.
 */
export const prepareSweep = async (
  payout: Payout,
  {
    sequence,
    recent,
    gas,
  }: { readonly sequence: number; readonly recent: RecentBlockhash; readonly gas: bigint | null },
  { sweeps, fees }: SweepAttemptDeps,
): Promise<PreparedAttempt> => {
  const lastValidBlockHeight = BigInt(recent.lastValidBlockHeight)
  const guards = [sequenceGuard({ address: payout.from, sequence, lastValidBlockHeight })]
  const form = await (sweeps?.build(payout, sequence) ?? Promise.reject(noSweeps())).catch((error: unknown) => {
    if (ServiceError.is(error)) return { refused: error.message }
    throw error
  })
  if ('refused' in form) {
    return { kind: 'pay', guards, feeCap: 0n, transaction: refusedTransaction(form.refused) }
  }
  const units = unitLimit(payout, gas, false)
  const [price, rent] = await Promise.all([fees.price(pricedAccounts(payout)), openingCost(form, fees)])
  const instructions = [...budgetInstructions(units, price), ...form.instructions]
  const transaction: LaneTransaction = {
    from: payout.from,
    cosigner: null,
    sequence,
    lastValidBlockHeight,
    units,
    price,
    message: bytesToHex(compileMessage(instructions, payout.from, recent.blockhash).serialize()),
    child: form.child,
  }
  return preparedOf(transaction, guards, SIGNATURE_LAMPORTS * signaturesOf(payout) + priorityFee(units, price) + rent)
}
