import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sumMoney } from './sumMoney.js'

const money = fc.record({
  chainId: fc.integer({ min: 1, max: 3 }),
  currency: fc.constantFrom('0xa', '0xb'),
  symbol: fc.constant('A'),
  decimals: fc.constant(18),
  amount: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
})

it('the sum of several amounts is exact for each currency of each chain, and mixes no two of them', () => {
  fc.assert(
    fc.property(fc.array(money), (moneys) => {
      const sums = sumMoney(moneys)
      const keyOf = ({ chainId, currency }: { readonly chainId: number; readonly currency: string }) =>
        `${chainId} ${currency}`
      expect(sums.map(keyOf)).toEqual([...new Set(moneys.map(keyOf))])
      for (const sum of sums) {
        const own = moneys.filter((each) => keyOf(each) === keyOf(sum))
        expect(BigInt(sum.amount)).toBe(own.reduce((total, { amount }) => total + BigInt(amount), 0n))
      }
    }),
  )
})
