import { smaller } from '@causeway/core'
import { NONCE_PAST_MS } from '@causeway/core/chain'
import type { PaymentId } from '../address/paymentIds.js'
import { LONGEST_WINDOW_MS } from '../options.js'
import type { Transfer } from '../read/transfers.js'

/** The last millisecond at which the exchange takes a nonce (chains.md hypevm 5). */
export const untilOf = (nonce: bigint): bigint => nonce + BigInt(NONCE_PAST_MS)

/** The nonce that can land for a time from now on. */
export const nonceFor = (now: bigint, windowMs: bigint): bigint => now - BigInt(NONCE_PAST_MS) + windowMs

/**
 * The number of a transfer in the lane's row. One that was not made by this service has a nonce of its own time: it must not raise the
 * nonces of later payments, whose times of landing follow from them.
 */
export const sequenceOf = (nonce: number, time: number): bigint =>
  smaller(BigInt(nonce), nonceFor(BigInt(time), LONGEST_WINDOW_MS))

/** Servers of the exchange may differ in their time. */
const MARGIN_MS = 600_000

/** Times at which a payment of the service may have landed: its nonce lies in the past on purpose. */
export const landingOf = (nonce: number): { readonly from: number; readonly upTo: number } => {
  const upTo = nonce + NONCE_PAST_MS
  return { from: Math.max(upTo - Number(LONGEST_WINDOW_MS) - MARGIN_MS, 0), upTo }
}

/** Whether a transfer is the payment of an id. */
export const isSentBy = ({ from, nonce }: Transfer, id: PaymentId): boolean => from === id.sender && nonce === id.nonce
