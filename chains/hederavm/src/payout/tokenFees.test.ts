import { describe, expect, it } from 'vitest'
import type { CustomFee, FeeShare, TokenState } from '../rpc/tokens.js'
import { amountsOf, amountsToBring, amountsWithin } from './tokenFees.js'

const SENDER = '0.0.5001'
const common = { collector: '0.0.7001', exemptsCollectors: false }
const share = ({ isOnTop = false, ...more }: Partial<FeeShare> & { readonly isOnTop?: boolean } = {}): CustomFee => ({
  ...{ ...common, isOnTop, currency: '0.0.9001' },
  amount: { numerator: 1n, denominator: 10n, minimum: 0n, maximum: 0n, ...more },
})
const fixed = (amount: bigint, currency = '0.0.9001'): CustomFee => ({ ...common, isOnTop: true, amount, currency })

const token = (fixedFees: readonly CustomFee[], shares: readonly CustomFee[] = []): TokenState => ({
  ...{ id: '0.0.9001', name: 'T', symbol: 'T', decimals: 6, isFungible: true, isDeleted: false, isPaused: false },
  ...{ treasury: '0.0.6001', fees: [...fixedFees, ...shares] },
})

describe('the fees of a token', () => {
  it('reduce what arrives, or come on top', () => {
    expect(amountsOf(100n, token([], [share()]), SENDER)).toEqual({ sent: 100n, arrives: 90n, taken: 100n })
    expect(amountsOf(100n, token([], [share({ isOnTop: true })]), SENDER)).toMatchObject({ arrives: 100n, taken: 110n })
    expect(amountsOf(100n, token([fixed(7n)]), SENDER)).toMatchObject({ arrives: 100n, taken: 107n })
  })

  it('are within their least and their most', () => {
    expect(amountsOf(100n, token([], [share({ minimum: 30n })]), SENDER).arrives).toBe(70n)
    expect(amountsOf(1000n, token([], [share({ maximum: 20n })]), SENDER).arrives).toBe(980n)
  })

  it('are not paid by the treasury, nor by their collector', () => {
    for (const sender of ['0.0.6001', '0.0.7001'])
      expect(amountsOf(100n, token([fixed(7n)], [share()]), sender)).toEqual({ sent: 100n, arrives: 100n, taken: 100n })
    const others = token([{ ...fixed(7n), collector: '0.0.8001', exemptsCollectors: true }], [share()])
    expect(amountsOf(100n, others, '0.0.7001').taken).toBe(100n)
  })

  it('in another currency are refused', () => {
    expect(() => amountsOf(100n, token([fixed(7n, '0.0.0')]), SENDER)).toThrow(/another currency/)
    expect(() => amountsOf(100n, token([fixed(7n, '0.0.9002')]), SENDER)).toThrow(/another currency/)
  })
})

describe('a transfer', () => {
  const tokens = [
    token([]),
    token([fixed(7n)]),
    token([], [share()]),
    token([], [share({ isOnTop: true })]),
    token(
      [fixed(3n)],
      [share({ numerator: 1n, denominator: 3n, minimum: 5n, maximum: 60n }), share({ isOnTop: true })],
    ),
  ]

  it('brings just the amount that is wanted, by the least that does', () => {
    for (const each of tokens)
      for (let wanted = 1n; wanted < 400n; wanted += 7n) {
        const { sent, arrives } = amountsToBring(wanted, each, SENDER)
        expect(arrives).toBeGreaterThanOrEqual(wanted)
        expect(amountsOf(sent - 1n, each, SENDER).arrives).toBeLessThan(wanted)
      }
  })

  it('takes no more than it may', () => {
    for (const each of tokens)
      for (let most = 1n; most < 400n; most += 7n) {
        const { sent, taken } = amountsWithin(most, each, SENDER)
        expect(taken).toBeLessThanOrEqual(most)
        if (sent > 0n) expect(amountsOf(sent + 1n, each, SENDER).taken).toBeGreaterThan(most)
      }
  })

  it('of which fees take all is refused', () => {
    expect(() => amountsToBring(5n, token([], [share({ numerator: 10n })]), SENDER)).toThrow(/take all/)
  })
})
