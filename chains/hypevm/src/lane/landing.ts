import { NONCE_PAST_MS } from '@causeway/core/chain'
import type { PaymentId } from '../address/paymentIds.js'
import { LONGEST_WINDOW_MS } from '../options.js'
import type { Transfer } from '../read/transfers.js'

/** The last millisecond at which the exchange takes a nonce (chains.md hypevm 5). */
export const untilOf = (nonce: bigint): bigint => nonce + BigInt(NONCE_PAST_MS)

/** The nonce that can land for a time from now on. */
export const nonceFor = (now: bigint, windowMs: bigint): bigint => now - BigInt(NONCE_PAST_MS) + windowMs

/** Clocks of this process and of the exchange may differ. */
const MARGIN_MS = 600_000

/** Times at which a payment of the service may have landed: its nonce lies in the past on purpose. */
export const landingOf = (nonce: number): { readonly from: number; readonly upTo: number } => {
  const upTo = nonce + NONCE_PAST_MS
  return { from: Math.max(upTo - Number(LONGEST_WINDOW_MS) - MARGIN_MS, 0), upTo }
}

/** Whether a transfer is the payment of an id. */
export const isSentBy = ({ from, nonce }: Transfer, id: PaymentId): boolean => from === id.sender && nonce === id.nonce
