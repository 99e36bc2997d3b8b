import { type Hex, type Json, ServiceError } from '@causeway/core'
import type { Payout, PayoutPurpose } from '@causeway/core/chain'
import { MAX_AMOUNT } from '../address/assets.js'

/** A transfer of ours without its number, its expiry and its fee. */
export interface PaymentForm {
  /** Account whose money is paid, and which pays the fee. */
  readonly from: string
  readonly to: string
  readonly currency: string
  readonly amount: bigint
  readonly orderId: Hex
  readonly purpose: PayoutPurpose
}

/**
 * The transfer of a payout; a withdrawal leaves the depository.
 * @throws ServiceError INVALID_REQUEST for a payout that no transfer can be
 */
export const paymentForm = (payout: Payout, depository: string): PaymentForm => {
  const { from, to, money, calls, swap, topup = 0n, purpose, orderId } = payout
  if (calls.length > 0 || swap !== undefined || topup > 0n || to.tag !== undefined || to.memo !== undefined)
    throw new ServiceError('INVALID_REQUEST', 'A payment on Lighter carries no calls, no swap, no top-up and no tag.')
  if (purpose === 'sweep') throw new ServiceError('INVALID_REQUEST', 'Lighter has no deposit addresses.')
  if (money.amount <= 0n || money.amount > MAX_AMOUNT)
    throw new ServiceError('INVALID_REQUEST', 'Lighter cannot pay this amount in one transfer.')
  return { from: purpose === 'withdraw' ? depository : from, to: to.address, ...money, orderId, purpose }
}

/** Purposes of payments, by their place in `ExpiredAt`. A new one goes to the end. */
const PURPOSES: readonly PayoutPurpose[] = [
  ...(['fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim', 'send', 'approve', 'origin'] as const),
]
const FIRST_CODE = 500n

/**
 * Expiry of a payment, which names its purpose by the milliseconds: the memo has room for the order id alone.
 * @param second - last whole second before the expiry
 */
export const expiryOf = (second: bigint, purpose: PayoutPurpose): bigint =>
  second * 1000n + FIRST_CODE + BigInt(PURPOSES.indexOf(purpose))

/** The purpose that an expiry names; `fill` for a transfer that names none, as for any order id alone. */
export const purposeOf = (expiredAt: bigint): PayoutPurpose =>
  PURPOSES[Number((expiredAt % 1000n) - FIRST_CODE)] ?? 'fill'

/** A payment as `PreparedAttempt.transaction` holds it, amounts as decimal text. */
export interface PreparedTransfer {
  readonly from: string
  readonly to: string
  readonly asset: number
  readonly route: number
  readonly amount: string
  readonly fee: string
  /** 64 hex digits without prefix. */
  readonly memo: string
  readonly nonce: string
  readonly expiredAt: string
  readonly apiKeyIndex: number
}

// CAST: plain data, all of it JSON; interfaces have no index signature.
export const preparedJson = (transfer: PreparedTransfer): Json => transfer as unknown as Json

// CAST: only preparedJson makes such transactions.
export const readPrepared = (json: Json): PreparedTransfer => json as unknown as PreparedTransfer
