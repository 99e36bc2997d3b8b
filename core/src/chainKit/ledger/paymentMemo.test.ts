import { expect, it } from 'vitest'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'
import { paymentMemo, readPaymentMemo } from './paymentMemo.js'

const ORDER = `0x${'5a'.repeat(32)}` as const
const PURPOSES: Readonly<Record<PayoutPurpose, string>> = {
  fill: ORDER,
  refund: `${ORDER} refund`,
  excess: `${ORDER} excess`,
  sweep: `${ORDER} sweep`,
  withdraw: `${ORDER} withdraw`,
  claim: `${ORDER} claim`,
  send: `${ORDER} send`,
  approve: `${ORDER} approve`,
  origin: `${ORDER} origin`,
}

// CAST: the keys of the record above.
it.each(Object.entries(PURPOSES) as [PayoutPurpose, string][])(
  'the memo of a payment with the purpose %s is read back as that',
  (purpose, memo) => {
    expect(paymentMemo({ orderId: ORDER, purpose })).toBe(memo)
    expect(readPaymentMemo(memo)).toEqual({ orderId: ORDER, purpose })
  },
)

it.each(['', 'lunch', `${ORDER} lunch`, `${ORDER} `, ORDER.slice(2)])('another memo names no order: %j', (memo) => {
  expect(readPaymentMemo(memo)).toEqual({ orderId: null, purpose: null })
})
