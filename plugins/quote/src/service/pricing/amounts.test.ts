import type { TradeType } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_AMOUNT, digitsOnly } from '../../fixtures/payableDouble.js'
import { minimumAfterSlippage, minimumDeposit, payoutAtQuotedRate, solveAmounts } from './amounts.js'
import { conversionOf, sameAsset } from './conversion.js'

const decimals = fc.constantFrom(0, 6, 18, 24)
const tradeTypes = fc.constantFrom<TradeType>('EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT')

/** A millionth of a dollar to a million dollars. */
const price = fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n })

const request = fc
  .record({
    tradeType: tradeTypes,
    amount: fc.bigInt({ min: 1n, max: 10n ** 40n }),
    originDecimals: decimals,
    destinationDecimals: decimals,
    fixed: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    bps: fc.bigInt({ min: 0n, max: 1000n }),
    prices: fc.option(fc.record({ origin: price, destination: price }), { nil: undefined }),
  })
  .map(({ fixed, bps, originDecimals: origin, destinationDecimals: destination, prices, ...rest }) => ({
    ...rest,
    conversion: conversionOf({ origin, destination }, prices),
    payable: ANY_AMOUNT,
    feesFor: (depositAmount: bigint) => fixed + (depositAmount * bps) / 10_000n,
  }))

/** A quote with the rate that follows from it, or nothing when the fees eat it. */
const quoted = fc
  .record({ request, slippage: fc.bigInt({ min: 0n, max: 10_000n }), tolerance: fc.bigInt({ min: 0n, max: 5000n }) })
  .map(({ request: asked, slippage, tolerance }) => {
    try {
      const amounts = solveAmounts(asked)
      const minimumPayout = minimumAfterSlippage(asked.tradeType, amounts.payoutAmount, slippage)
      const rate = {
        tradeType: asked.tradeType,
        ...amounts,
        minimumPayout,
        feesIn: asked.feesFor(amounts.depositAmount),
        fillCost: 0n,
      }
      const { conversion, payable } = asked
      return { asked, rate, context: { conversion, payable, underpaymentToleranceBps: tolerance } }
    } catch {
      return null
    }
  })
  .filter((made) => made !== null)

describe('solveAmounts (wire.md D.5, F73)', () => {
  it('finds the smallest deposit where fees take nearly all of it, and refuses where no deposit covers them, at once', () => {
    const asked = (bps: bigint, amount: bigint) => ({
      tradeType: 'EXACT_OUTPUT' as const,
      amount,
      conversion: sameAsset({ origin: 18, destination: 18 }),
      payable: ANY_AMOUNT,
      feesFor: (depositAmount: bigint) => 7n + (depositAmount * bps) / 10_000n,
    })
    for (const bps of [9_000n, 9_999n]) {
      for (const amount of [1n, 10n ** 30n]) {
        const { depositAmount } = solveAmounts(asked(bps, amount))
        const left = (deposit: bigint) => deposit - asked(bps, amount).feesFor(deposit)
        expect(left(depositAmount) >= amount && left(depositAmount - 1n) < amount).toBe(true)
      }
    }
    for (const bps of [10_000n, 10_014n]) {
      expect(() => solveAmounts(asked(bps, 10n ** 30n))).toThrow('The amount does not cover the fees of this route')
    }
  })

  it('gives the solver at most one unit by rounding, and never less than its fees', () => {
    fc.assert(
      fc.property(quoted, ({ asked, rate }) => {
        const { conversion } = asked
        const left = rate.depositAmount - rate.feesIn
        const worth = conversion.toDeposit(rate.payoutAmount, 'up')
        expect(worth <= left).toBe(true)
        if (asked.tradeType === 'EXACT_INPUT') {
          expect(rate.depositAmount).toBe(asked.amount)
          // One more unit of output would not be covered.
          expect(conversion.toDeposit(rate.payoutAmount + 1n, 'up') > left).toBe(true)
        } else {
          expect(rate.payoutAmount).toBe(asked.amount)
          // One unit of input less would not be enough.
          expect(rate.depositAmount - 1n - asked.feesFor(rate.depositAmount - 1n) < worth).toBe(true)
        }
      }),
    )
  })

  it('refuses an input that the fees eat', () => {
    const eaten = {
      conversion: sameAsset({ origin: 6, destination: 6 }),
      payable: ANY_AMOUNT,
      feesFor: () => 5n,
    }
    expect(() => solveAmounts({ ...eaten, tradeType: 'EXACT_INPUT', amount: 5n })).toThrow('does not cover')
    expect(solveAmounts({ ...eaten, tradeType: 'EXACT_INPUT', amount: 6n })).toEqual({
      depositAmount: 6n,
      payoutAmount: 1n,
    })
    // What is left is less than one unit of a coarser destination.
    const coarse = { ...eaten, conversion: sameAsset({ origin: 6, destination: 0 }) }
    expect(() => solveAmounts({ ...coarse, tradeType: 'EXACT_INPUT', amount: 1_000_004n })).toThrow('does not cover')
  })
})

describe('minimumAfterSlippage', () => {
  it('is the output for EXACT_OUTPUT and never 0', () => {
    expect(minimumAfterSlippage('EXACT_OUTPUT', 100n, 200n)).toBe(100n)
    expect(minimumAfterSlippage('EXACT_INPUT', 1_000_001n, 200n)).toBe(980_000n)
    expect(minimumAfterSlippage('EXACT_INPUT', 100n, 10_000n)).toBe(1n)
  })
})

describe('payoutAtQuotedRate (wire.md D.6)', () => {
  it('gives the quoted output for the quoted input and grows with the deposit', () => {
    fc.assert(
      fc.property(
        quoted,
        fc.bigInt({ min: 0n, max: 10n ** 41n }),
        fc.bigInt({ min: 0n, max: 10n ** 41n }),
        (made, left, right) => {
          const output = (paid: bigint) => payoutAtQuotedRate(paid, made.rate, made.context)
          expect(output(made.rate.depositAmount)).toBe(made.rate.payoutAmount)
          const [low, high] = left < right ? [left, right] : [right, left]
          expect(output(low) <= output(high)).toBe(true)
        },
      ),
    )
  })

  it('never carries a deposit far below the quoted one for less than the fees', () => {
    fc.assert(
      fc.property(quoted, fc.bigInt({ min: 0n, max: 10_000n }), ({ rate, context }, share) => {
        fc.pre(rate.tradeType !== 'EXACT_OUTPUT')
        const paid = (rate.depositAmount * share) / 10_000n
        fc.pre(paid * 10_000n < rate.depositAmount * (10_000n - context.underpaymentToleranceBps))
        const output = payoutAtQuotedRate(paid, rate, context)
        const worth = context.conversion.toDeposit(output, 'up')
        expect(output === 0n || paid - worth >= rate.feesIn).toBe(true)
      }),
    )
  })
})

describe('underpaymentToleranceBps (wire.md D.6)', () => {
  const context = {
    conversion: conversionOf({ origin: 6, destination: 6 }, undefined),
    payable: ANY_AMOUNT,
    underpaymentToleranceBps: 1_000n,
  }
  const rate = {
    tradeType: 'EXACT_INPUT',
    depositAmount: 1_000_000n,
    payoutAmount: 900_000n,
    feesIn: 100_000n,
    fillCost: 0n,
  } as const

  it('a deposit that is smaller by just this much keeps the quoted rate, one unit less bears the whole fees', () => {
    const output = (paid: bigint) => payoutAtQuotedRate(paid, { ...rate, minimumPayout: 0n }, context)
    expect([output(900_000n), output(899_999n)]).toEqual([810_000n, 799_999n])
  })

  it('decides nothing about what is filled at all: that is the promised minimum', () => {
    const least = (minimumPayout: bigint) => minimumDeposit({ ...rate, minimumPayout }, context)
    // Within the tolerance, at it, and beyond it.
    expect([least(895_500n), least(810_000n), least(809_999n)]).toEqual([995_000n, 900_000n, 900_000n])
    expect(least(799_999n)).toBe(899_999n)
  })
})

describe('minimumDeposit', () => {
  it('is the smallest deposit whose output reaches the minimum', () => {
    fc.assert(
      fc.property(quoted, ({ rate, context }) => {
        const least = minimumDeposit(rate, context)
        expect(least <= rate.depositAmount && least > 0n).toBe(true)
        expect(payoutAtQuotedRate(least, rate, context) >= rate.minimumPayout).toBe(true)
        expect(payoutAtQuotedRate(least - 1n, rate, context) < rate.minimumPayout).toBe(true)
      }),
    )
  })
})

describe('where payments carry four digits (chains.md xrpvm 10)', () => {
  const payable = digitsOnly(4)

  it('what is paid is rounded down and what is asked for up, and the solver bears nothing of it', () => {
    fc.assert(
      fc.property(request, (plain) => {
        const asked = { ...plain, payable, amount: payable.payout(plain.amount) }
        let amounts: ReturnType<typeof solveAmounts>
        try {
          amounts = solveAmounts(asked)
        } catch {
          return
        }
        const { depositAmount, payoutAmount } = amounts
        expect([payable.payout(payoutAmount), payable.deposit(depositAmount)]).toEqual([payoutAmount, depositAmount])
        const worth = asked.conversion.toDeposit(payoutAmount, 'up')
        expect(worth + asked.feesFor(depositAmount) <= depositAmount).toBe(true)
      }),
    )
  })

  it('whatever a deposit brings, what is paid for it can be carried, and reaches the minimum from the least deposit on', () => {
    fc.assert(
      fc.property(quoted, fc.bigInt({ min: 0n, max: 10n ** 41n }), (made, paid) => {
        const context = { ...made.context, payable }
        const payoutAmount = payable.payout(made.rate.payoutAmount)
        const rate = { ...made.rate, payoutAmount, minimumPayout: payable.payout(made.rate.minimumPayout) }
        const output = payoutAtQuotedRate(paid, rate, context)
        expect(payable.payout(output)).toBe(output)
        expect(payoutAtQuotedRate(minimumDeposit(rate, context), rate, context) >= rate.minimumPayout).toBe(true)
      }),
    )
  })
})

describe('a deposit beyond the one that its sponsor pays for (wire.md D.9)', () => {
  it.each([
    { paid: 1_000n, payout: 1_000n, says: 'the quoted deposit bears none of the fees' },
    { paid: 2_000n, payout: 1_920n, says: 'twice as much bears the fees of the second half, without the network cost' },
  ])('$says', ({ paid, payout }) => {
    const rate = {
      ...{ tradeType: 'EXACT_INPUT' as const, depositAmount: 1_000n, payoutAmount: 1_000n, minimumPayout: 900n },
      ...{ feesIn: 0n, fillCost: 20n, sponsorship: { fees: 100n } },
    }
    const conversion = sameAsset({ origin: 6, destination: 6 })
    const context = { conversion, payable: ANY_AMOUNT, underpaymentToleranceBps: 0n }
    expect(payoutAtQuotedRate(paid, rate, context)).toBe(payout)
  })
})
