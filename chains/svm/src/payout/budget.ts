import { larger, smaller } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'

/** Most compute units one transaction may use (chains.md svm 10). */
export const MAX_UNITS = 1_400_000n

/** Units that an ordinary payment needs at least, whatever an older simulation said: its account may have to be created. */
const LEAST_UNITS = { native: 60_000n, token: 110_000n, request: 250_000n, swap: 200_000n } as const

/** Hundredths of the simulated units that are reserved; pools take more or less as they move. */
const MARGIN = { native: 110n, token: 110n, request: 110n, swap: 130n } as const

/**
 * Compute units to reserve: a tenth above what the simulation used (chains.md svm 7), for swaps more, and never less than an
 * ordinary payment of the kind needs. The network charges for what is reserved, so estimate and transaction use this same
 * number.
 */
export const unitLimit = (payout: Payout, simulated: bigint | null, byRequest: boolean): bigint => {
  const kind = kindOf(payout, byRequest)
  const wanted = simulated === null ? 0n : (simulated * MARGIN[kind] + 99n) / 100n
  const least = payout.sweep === undefined ? LEAST_UNITS[kind] : sweepUnits(payout.sweep.currencies)
  return smaller(larger(wanted, least), MAX_UNITS)
}

/** Each currency of a sweep is a payment of its own, in one transaction. */
export const sweepUnits = (currencies: readonly string[]): bigint =>
  currencies.reduce((sum, currency) => sum + LEAST_UNITS[currency === NATIVE ? 'native' : 'token'], 0n)

const kindOf = (payout: Payout, byRequest: boolean): keyof typeof LEAST_UNITS => {
  if (payout.swap !== undefined) return 'swap'
  if (payout.purpose === 'withdraw' && byRequest) return 'request'
  return isNative(payout) ? 'native' : 'token'
}

export const isNative = ({ money }: Payout): boolean => money.currency === NATIVE

/** What a transaction begins with: how much computation it reserves and what it offers for each unit, micro-lamports. */
export const budgetInstructions = (units: bigint, price: bigint): TransactionInstruction[] => [
  ComputeBudgetProgram.setComputeUnitLimit({ units: Number(units) }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
]
