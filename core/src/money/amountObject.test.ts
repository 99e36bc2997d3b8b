import { describe, expect, it } from 'vitest'
import { amountObject } from './amountObject.js'
import type { Currency } from './currency/currency.js'
import { rateText } from './rate.js'
import { ONE_USD } from './usdMath.js'

const usdc: Currency = {
  chainId: 10,
  address: '0xaa',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  vmType: 'evm',
  groupId: 'usdc',
  metadata: { logoURI: 'https://example.org/usdc.png', verified: true, isNative: false },
}
const fine: Currency = { ...usdc, decimals: 18 }

describe('amountObject', () => {
  it('carries the full currency, and the amount as its own minimum (wire.md 0.3, K.1 11)', () => {
    const { groupId, ...shown } = usdc
    expect(amountObject({ currency: usdc, amount: 1_500_000n }, 2n * ONE_USD)).toEqual({
      currency: shown,
      amount: '1500000',
      amountFormatted: '1.5',
      amountUsd: '3.000000',
      minimumAmount: '1500000',
    })
    expect(groupId).toBe('usdc')
  })

  it('shows a minimum and a value of its own where given', () => {
    const shown = amountObject({ currency: usdc, amount: 10n }, ONE_USD, { minimumAmount: 9n, usd: 5n * ONE_USD })
    expect(shown).toMatchObject({ minimumAmount: '9', amountUsd: '5.000000' })
  })
})

describe('rateText (wire.md D.4)', () => {
  it.each([
    [100_000_000n, 99_950_900_000_000_000_000n, '0.999509'],
    [1_000_000n, 1_000_000_000_000_000_000n, '1'],
    [3_000_000n, 2_000_000_000_000_000_000n, '0.666666666666666667'],
    [3n, 20_000_000_000_000_000_000n, '6666666.66666666667'],
    [7_000_000n, 1n, '0.000000000000000000142857142857142857'],
    [1n, 10n ** 40n, '10000000000000000000000000000'],
    [1n, 999_999_999_999_999_999_999_999_999_999n, '1000000000000000000'],
    [3n, 1n, '0.000000000000333333333333333333'],
    [0n, 5n, '0'],
    [5n, 0n, '0'],
  ])('%s in, %s out is %s', (input, output, text) => {
    expect(rateText({ currency: usdc, amount: input }, { currency: fine, amount: output })).toBe(text)
  })
})
