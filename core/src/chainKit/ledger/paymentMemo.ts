import type { Payout, PayoutPurpose } from '../../chain/laneAdapter.js'
import type { Hex } from '../../money/hex.js'

const ORDER_ID = /^0x[0-9a-f]{64}$/
const PAYMENT = /^(0x[0-9a-f]{64})(?: (fill|refund|excess|sweep|withdraw|claim|send|approve|origin))?$/

/** The order that the memo of a deposit names, or null: it must be the id and nothing else (chains.md, per VM, 3). */
export const orderIdOf = (memo: string): Hex | null => {
  const [id] = ORDER_ID.exec(memo) ?? []
  // CAST: matched above.
  return (id as Hex | undefined) ?? null
}

/** What a payment says of itself: of a fill the order id alone, as a verifier reads it (chains.md, per VM, 5), else the purpose too. */
export const paymentMemo = ({ purpose, orderId }: Pick<Payout, 'purpose' | 'orderId'>): string =>
  purpose === 'fill' ? orderId : `${orderId} ${purpose}`

/** Reverse of `paymentMemo`; nulls for the memo of something else. */
export const readPaymentMemo = (
  memo: string,
): { readonly orderId: Hex | null; readonly purpose: PayoutPurpose | null } => {
  const [, orderId, purpose = 'fill'] = PAYMENT.exec(memo) ?? []
  // CAST: matched by the pattern.
  return orderId === undefined
    ? { orderId: null, purpose: null }
    : { orderId: orderId as Hex, purpose: purpose as PayoutPurpose }
}
