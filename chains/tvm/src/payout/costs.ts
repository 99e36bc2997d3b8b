import { larger, smaller } from '@causeway/core'
import { NO_RESOURCES, type Prices, type Resources } from '../rpc/accounts.js'
import type { PaymentForm } from './paymentForm.js'

/** Bytes of a transaction without its calldata or memo: signature, header fields and addresses. */
const TRANSFER_BYTES = 203n
const CALL_BYTES = 212n
/** Bytes of a result, which every transaction pays for. */
const RESULT_BYTES = 64n
/** Part of the fee limit above what the call took in its simulation (chains.md tvm 7). */
const LIMIT_PERCENT = 130n

/** Energy of a token transfer that could not be run: to an account that never held the token. */
export const TYPICAL_ENERGY = 130_000n

const ceilOf = (amount: bigint, percent: bigint): bigint => (amount * percent + 99n) / 100n

/** Bandwidth of a payment, about. */
export const bytesOf = ({ data, memo }: Pick<PaymentForm, 'data' | 'memo'>): bigint => {
  const tail = (data.length + memo.length) / 2
  return (data === '' ? TRANSFER_BYTES : CALL_BYTES) + BigInt(tail) + (tail > 127 ? 2n : 0n) + RESULT_BYTES
}

export interface Spent {
  readonly energy: bigint
  readonly bytes: bigint
  readonly hasMemo: boolean
  /** Whether TRX activates its recipient. */
  readonly activates: boolean
}

/** Sun that the network takes of an account with these resources (chains.md tvm 5). */
export const feeOf = (
  { energy, bytes, hasMemo, activates }: Spent,
  prices: Prices,
  { freeNet, stakedNet, energy: ownEnergy }: Resources = NO_RESOURCES,
): bigint => {
  const bought = energy > ownEnergy ? energy - ownEnergy : 0n
  const isFree = stakedNet >= bytes || (!activates && freeNet >= bytes)
  const bandwidth = isFree ? 0n : activates ? prices.activationBandwidth : bytes * prices.byte
  const activation = activates ? prices.activation : 0n
  return bought * prices.energy + bandwidth + activation + (hasMemo ? prices.memo : 0n)
}

/**
 * The fee limit of a call, and the most that the network can take for it; null where the limit is below what it takes now.
 * @param most - in sun
 */
export const limitOf = (spent: Spent, prices: Prices, most: bigint): { readonly feeLimit: bigint; readonly cap: bigint } | null => {
  const rest = feeOf({ ...spent, energy: 0n }, prices)
  const needed = spent.energy * prices.energy
  if (needed + rest > most) return null
  const wanted = smaller(ceilOf(needed, LIMIT_PERCENT), larger(prices.maxFeeLimit, needed))
  const feeLimit = smaller(wanted, most - rest)
  return { feeLimit, cap: feeLimit + rest }
}
