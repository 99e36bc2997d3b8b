import { expect, it } from 'vitest'
import { feeToOffer, PRICES, tinybarsOf } from './prices.js'

it('a transfer costs a ten-thousandth of a dollar at any rate, rounded up', () => {
  expect(tinybarsOf(PRICES.transfer, { hbar: 30_000n, cents: 360_000n })).toBe(83_334n)
  expect(tinybarsOf(PRICES.tokenTransfer, { hbar: 1n, cents: 12n })).toBe(833_334n)
})

it('no payment offers more than its limit, and none below its price is made (faults.md F124)', () => {
  expect(feeToOffer(100n, 1_000n)).toBe(300n)
  expect(feeToOffer(100n, 150n)).toBe(150n)
  expect(feeToOffer(100n, 100n)).toBe(100n)
  expect(feeToOffer(100n, 99n)).toBeNull()
})
