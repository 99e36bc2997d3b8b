import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largestPayable, leastPayable } from './payable.js'

const DIGITS = 4

/** A chain whose payments carry so many significant digits. */
const payer = {
  payable: ({ amount }: { readonly amount: bigint }): bigint => {
    const unit = 10n ** BigInt(Math.max(amount.toString().length - DIGITS, 0))
    return (amount / unit) * unit
  },
}
const of = (amount: bigint) => ({ currency: 'coin', amount })

describe('what a payment can carry (chains.md xrpvm 10)', () => {
  it('is any amount where the chain does not say otherwise', () => {
    expect(largestPayable({}, of(123_456_789n))).toBe(123_456_789n)
    expect(leastPayable({}, of(123_456_789n))).toBe(123_456_789n)
  })

  it.each([
    { amount: 0n, below: 0n, above: 0n },
    { amount: 9_999n, below: 9_999n, above: 9_999n },
    { amount: 12_345n, below: 12_340n, above: 12_350n },
    { amount: 99_991n, below: 99_990n, above: 100_000n },
    { amount: 123_400_001n, below: 123_400_000n, above: 123_500_000n },
  ])('$amount: at most $below is paid, at least $above is asked for', ({ amount, below, above }) => {
    expect(largestPayable(payer, of(amount))).toBe(below)
    expect(leastPayable(payer, of(amount))).toBe(above)
  })

  it('leaves nothing payable between an amount and what is asked for it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (amount) => {
        const above = leastPayable(payer, of(amount))
        expect(above >= amount && payer.payable(of(above)) === above).toBe(true)
        expect(above === amount || payer.payable(of(above - 1n)) < amount).toBe(true)
      }),
    )
  })

  it('is the amount itself where no payment carries so much', () => {
    expect(leastPayable({ payable: ({ amount }) => (amount > 100n ? 100n : amount) }, of(101n))).toBe(101n)
  })
})
