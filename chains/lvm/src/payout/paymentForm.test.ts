import type { Payout } from '@causeway/core/chain'
import { describe, expect, it } from 'vitest'
import { expiryOf, paymentForm, purposeOf } from './paymentForm.js'

const payout: Payout = {
  ...{ purpose: 'fill', orderId: `0x${'ab'.repeat(32)}`, from: '7', to: { address: '8' }, calls: [] },
  money: { currency: '0', amount: 5n },
}

describe('paymentForm', () => {
  it('is a transfer of the solver, and of the depository for a withdrawal', () => {
    expect(paymentForm(payout, '9')).toMatchObject({ from: '7', to: '8', currency: '0', amount: 5n })
    expect(paymentForm({ ...payout, purpose: 'withdraw' }, '9').from).toBe('9')
  })

  it.each([
    ['calls', { calls: [{ to: '8', data: '0x', value: 0n }] }],
    ['a tag', { to: { address: '8', tag: 1 } }],
    ['a sweep', { purpose: 'sweep' }],
    ['no amount', { money: { currency: '0', amount: 0n } }],
    ['an amount that a JSON number would round', { money: { currency: '0', amount: 2n ** 53n } }],
  ] as const)('refuses %s', (_, changes) => {
    expect(() => paymentForm({ ...payout, ...changes }, '9')).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })
})

describe('the expiry of a payment', () => {
  it('names its purpose, within its last second', () => {
    for (const purpose of ['fill', 'refund', 'excess', 'withdraw', 'claim', 'send'] as const) {
      const expiredAt = expiryOf(1_795_000_000n, purpose)
      expect(expiredAt / 1000n).toBe(1_795_000_000n)
      expect(purposeOf(expiredAt)).toBe(purpose)
    }
  })

  it('of another program names a fill, as an order id alone does', () => {
    expect([purposeOf(1_795_000_000_000n), purposeOf(1_795_000_000_999n)]).toEqual(['fill', 'fill'])
  })
})
