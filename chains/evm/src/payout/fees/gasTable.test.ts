import type { Payout } from '@causeway/core/chain'
import { expect, it } from 'vitest'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { gasLimit, gasWithin } from './gasTable.js'

const payout = (feeLimit?: bigint): Payout => ({
  purpose: 'fill',
  orderId: `0x${'0d'.repeat(32)}`,
  from: `0x${'51'.repeat(20)}`,
  to: { address: `0x${'12'.repeat(20)}` },
  money: { currency: ZERO_ADDRESS, amount: 1n },
  calls: [],
  ...(feeLimit === undefined ? {} : { feeLimit }),
})

it.each([
  { what: 'no limit', feeLimit: undefined, expected: 125_000n },
  { what: 'room for the usual quarter', feeLimit: 1_250_000n, expected: 125_000n },
  { what: 'room for less than that', feeLimit: 1_100_009n, expected: 110_000n },
  { what: 'just what it takes', feeLimit: 1_000_000n, expected: 100_000n },
  { what: 'less than it takes', feeLimit: 999_999n, expected: null },
])('F124: the gas limit lets a payment cost no more than its order pays for: $what', ({ feeLimit, expected }) => {
  expect(gasWithin(payout(feeLimit), 100_000n, 10n)).toBe(expected)
})

it('F124: without a simulation the usual limit must fit', () => {
  const usual = gasLimit(payout(), null)
  expect(gasWithin(payout(usual * 10n), null, 10n)).toBe(usual)
  expect(gasWithin(payout(usual * 10n - 1n), null, 10n)).toBeNull()
})
