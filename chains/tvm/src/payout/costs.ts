import { larger, smaller } from '@causeway/core'
import { NO_RESOURCES, type Prices, type Resources } from '../rpc/accounts.js'
import type { PaymentForm } from './paymentForm.js'

/** Bytes of a result, which every transaction pays for. */
const RESULT_BYTES = 64
/** A signature with its header. */
const SIGNATURE_BYTES = 67
/** Largest fee limit with its header. */
const LIMIT_BYTES = 7

/** Part of the fee limit above what the call took in its simulation (chains.md tvm 7). */
const LIMIT_PERCENT = 130n

/** Energy of a token transfer that could not be run: to an account that never held the token. */
export const TYPICAL_ENERGY = 130_000n

const ceilOf = (amount: bigint, percent: bigint): bigint => (amount * percent + 99n) / 100n

const varintBytes = (value: bigint): number => Math.max(1, Math.ceil(value.toString(2).length / 7))

/** Bytes of a field with a length. */
const fieldBytes = (length: number): number => (length === 0 ? 0 : 1 + varintBytes(BigInt(length)) + length)

/** Bandwidth of a payment as `tronweb` encodes it; of a call with the largest fee limit, so that it is never above this. */
export const bytesOf = ({ data, memo, value }: Pick<PaymentForm, 'data' | 'memo' | 'value'>): bigint => {
  const isCall = data !== ''
  const amount = value === 0n ? 0 : 1 + varintBytes(value)
  const message = 46 + amount + fieldBytes(data.length / 2)
  const any = (isCall ? 51 : 47) + fieldBytes(message)
  const contract = fieldBytes(2 + fieldBytes(any))
  const raw = 28 + fieldBytes(memo.length / 2) + contract + (isCall ? LIMIT_BYTES : 0)
  return BigInt(fieldBytes(raw) + SIGNATURE_BYTES + RESULT_BYTES)
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
export const limitOf = (
  spent: Spent,
  prices: Prices,
  most: bigint,
): { readonly feeLimit: bigint; readonly cap: bigint } | null => {
  const rest = feeOf({ ...spent, energy: 0n }, prices)
  const needed = spent.energy * prices.energy
  if (needed + rest > most) return null
  const wanted = smaller(ceilOf(needed, LIMIT_PERCENT), larger(prices.maxFeeLimit, needed))
  const feeLimit = smaller(wanted, most - rest)
  return { feeLimit, cap: feeLimit + rest }
}
