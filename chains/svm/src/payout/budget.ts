import type { Payout } from '@causeway/core'
import { larger, smaller } from '@causeway/core'
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'

/** Most compute units one transaction may use (chains.md svm 10). */
export const MAX_UNITS = 1_400_000n

/** Units that an ordinary payment needs at least, whatever an older simulation said: its account may have to be created. */
const LEAST_UNITS = { native: 60_000n, token: 110_000n, request: 250_000n } as const

/**
 * Compute units to reserve: a tenth above what the simulation used (chains.md svm 7), and never less than an ordinary payment of
 * the kind needs. The network charges for what is reserved, so estimate and transaction use this same number.
 */
export const unitLimit = (payout: Payout, simulated: bigint | null, byRequest: boolean): bigint => {
  const kind = payout.purpose === 'withdraw' && byRequest ? 'request' : isNative(payout) ? 'native' : 'token'
  const wanted = simulated === null ? 0n : (simulated * 11n + 9n) / 10n
  return smaller(larger(wanted, LEAST_UNITS[kind]), MAX_UNITS)
}

export const isNative = ({ money }: Payout): boolean => money.currency === NATIVE

/** What a transaction begins with: how much computation it reserves and what it offers for each unit, micro-lamports. */
export const budgetInstructions = (units: bigint, price: bigint): TransactionInstruction[] => [
  ComputeBudgetProgram.setComputeUnitLimit({ units: Number(units) }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
]
