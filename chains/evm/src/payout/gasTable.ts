import type { Payout } from '@causeway/core'
import { ZERO_ADDRESS } from '../contracts/addresses.js'

/** Typical gas of a payout, used until a simulation says better. */
export const typicalGas = (payout: Payout): bigint => {
  if (payout.purpose === 'withdraw') return 120_000n
  if (payout.calls.length > 0) return 150_000n + 100_000n * BigInt(payout.calls.length)
  return payout.money.currency === ZERO_ADDRESS ? 22_000n : 65_000n
}

/** Gas limit of the transaction: a quarter above the simulated gas, or half above the typical one. */
export const gasLimit = (payout: Payout, simulated: bigint | null): bigint =>
  simulated === null ? (typicalGas(payout) * 3n) / 2n : (simulated * 5n) / 4n

/** Bytes of the signed transaction, about: for fees on data. */
export const transactionBytes = (payout: Payout): number =>
  150 + (payout.purpose === 'withdraw' ? 700 : payout.money.currency === ZERO_ADDRESS ? 32 : 100) + callBytes(payout)

const callBytes = (payout: Payout): number =>
  payout.calls.reduce((sum, call) => sum + 200 + Math.ceil((call.data.length - 2) / 64) * 32, 0)
