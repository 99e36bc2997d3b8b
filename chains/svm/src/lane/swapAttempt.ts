import { bytesToHex, ServiceError } from '@causeway/core'
import type { Payout, PreparedAttempt } from '@causeway/core/chain'
import { budgetInstructions, unitLimit } from '../payout/budget.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../payout/fees/networkFees.js'
import { pricedAccounts, signaturesOf } from '../payout/payoutFees.js'
import type { SwapPayments } from '../payout/swapPayments.js'
import type { RecentBlockhash } from '../rpc/head/headSource.js'
import { compileMessage, type LaneTransaction, preparedOf, refusedTransaction, signOnce } from './laneTransaction.js'
import { sequenceGuard } from './sequenceGuard.js'

export interface SwapAttemptDeps {
  readonly swaps: SwapPayments | null
  readonly fees: FeeSource
}

/**
 * A payment through a swap, tried on the node with the very instructions it then holds. One that cannot be proven harmless is
 * prepared without bytes: signing refuses it alone, and the other payouts of the lane go on.
 */
export const prepareSwap = async (
  payout: Payout,
  { sequence, recent }: { readonly sequence: number; readonly recent: RecentBlockhash },
  { swaps, fees }: SwapAttemptDeps,
): Promise<PreparedAttempt> => {
  const lastValidBlockHeight = BigInt(recent.lastValidBlockHeight)
  const guards = [sequenceGuard({ address: payout.from, sequence, lastValidBlockHeight })]
  const attempt = await swaps?.attempt(payout, sequence).catch(refused)
  const { form, outcome } = attempt ?? NO_SWAPS
  if (form === null || !outcome.ok) {
    const why = outcome.ok ? NOT_PREPARED : outcome.message
    return { kind: 'pay', guards, feeCap: 0n, transaction: refusedTransaction(why) }
  }
  const [units, price] = [unitLimit(payout, outcome.gas, false), await fees.price(pricedAccounts(payout))]
  const instructions = [...budgetInstructions(units, price), ...form.instructions]
  const message = compileMessage(instructions, payout.from, recent.blockhash, form.tables)
  const transaction: LaneTransaction = {
    from: payout.from,
    cosigner: null,
    sequence,
    lastValidBlockHeight,
    units,
    price,
    message: bytesToHex(message.serialize()),
    escrow: signOnce(message, form.escrow),
  }
  const network = SIGNATURE_LAMPORTS * signaturesOf(payout) + priorityFee(units, price)
  return preparedOf(transaction, guards, network + (outcome.accountCreation ?? 0n))
}

const NOT_PREPARED = 'The swap of this payment could not be prepared.'
const NO_SWAPS = { form: null, outcome: { ok: false, kind: 'revert', message: 'This chain has no swaps.' } } as const

/** Whatever goes wrong with one swap must not hold up the lane. */
const refused = (error: unknown) => {
  const message = ServiceError.is(error) ? error.message : NOT_PREPARED
  return { form: null, outcome: { ok: false, kind: 'transient', message } } as const
}
