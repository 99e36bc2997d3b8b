import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grossFor, netOf } from './transferFee.js'

const MAX = 2n ** 64n - 1n
const fees = fc.record({ bps: fc.integer({ min: 1, max: 10_000 }), maximum: fc.bigInt({ min: 0n, max: MAX }) })

describe('transfer fees of Token-2022: the recipient gets the amount promised', () => {
  test.each([
    { net: 1_000_000n, fee: null, gross: 1_000_000n },
    { net: 0n, fee: { bps: 100, maximum: 10n }, gross: 0n },
    { net: 99n, fee: { bps: 100, maximum: MAX }, gross: 100n },
    { net: 9_900n, fee: { bps: 100, maximum: 50n }, gross: 9_950n },
    { net: 1n, fee: { bps: 1, maximum: MAX }, gross: 2n },
    { net: 7n, fee: { bps: 10_000, maximum: 5n }, gross: 12n },
  ])('$net arrive when $gross are sent', ({ net, fee, gross }) => {
    expect(grossFor(net, fee)).toBe(gross)
    expect(netOf(gross, fee)).toBeGreaterThanOrEqual(net)
  })

  test('as little as possible is sent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX }), fees, (net, fee) => {
        const gross = grossFor(net, fee)
        expect(netOf(gross, fee)).toBeGreaterThanOrEqual(net)
        expect(netOf(gross - 1n, fee)).toBeLessThan(net)
      }),
    )
  })
})
