import type { Currency, CurrencyRegistry } from '@causeway/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysOfCover, neededFor } from './cover.js'
import { findMoves, type HeldCurrencies } from './moves.js'

describe('days of cover', () => {
  it.each([
    [70n, 70n, '7.0'],
    [10n, 70n, '1.0'],
    [9n, 70n, '0.9'],
    [0n, 70n, '0.0'],
    [-5n, 70n, '0.0'],
    [10n ** 60n, 7n, `${10n ** 60n}.0`],
    [5n, 0n, null],
  ])('%s at %s a week are %s', (available, paid, days) => {
    expect(daysOfCover(available, paid)).toBe(days)
  })

  it('what is needed for some days lasts them, and a unit less does not', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 40n), fc.bigInt(1n, 30n), (paid, days) => {
        const needed = neededFor(days, paid)
        expect(needed * 7n).toBeGreaterThanOrEqual(paid * days)
        expect((needed - 1n) * 7n).toBeLessThan(paid * days)
      }),
    )
  })
})

const currency = (chainId: number, decimals: number, groupId = 'usd'): Currency => ({
  chainId,
  address: 'coin',
  symbol: 'USDC',
  name: 'Coin',
  decimals,
  vmType: 'evm',
  groupId,
  metadata: { logoURI: '', verified: true, isNative: false },
})

const registryOf = (...known: readonly Currency[]) =>
  // CAST: what is asked of it.
  ({ find: (chainId: number) => known.find((item) => item.chainId === chainId) }) as unknown as CurrencyRegistry

const holding = (chainId: number, available: bigint, paidInWeek: bigint): HeldCurrencies => ({
  chainId,
  slug: `chain${chainId}`,
  wallet: `wallet${chainId}`,
  currencies: [
    {
      currency: { currency: 'coin' },
      available: available.toString(),
      paidInWeek: paidInWeek.toString(),
      daysOfCover: daysOfCover(available, paidInWeek),
    },
  ],
})

describe('what to move', () => {
  it('is said of what does not last a day, from the chain with the most of the same asset to spare, whatever its decimals', () => {
    const known = registryOf(currency(1, 6), currency(2, 6), currency(3, 18), currency(4, 6, 'other'))
    const [move, ...others] = findMoves(known, [
      holding(1, 50_000_000n, 700_000_000n),
      holding(2, 900_000_000n, 700_000_000n),
      holding(3, 800n * 10n ** 18n, 0n),
      holding(4, 10n ** 15n, 0n),
    ])
    expect(others).toEqual([])
    expect(move).toEqual({
      chainId: 1,
      currency: 'coin',
      daysOfCover: '0.5',
      missing: '250000000',
      from: { chainId: 3, currency: 'coin', spare: (800n * 10n ** 18n).toString() },
      says: expect.stringMatching(
        /^USDC on chain1 lasts 0\.5 days\. Move 250(\.0)? USDC to wallet1 there; chain3 has 800(\.0)? USDC to spare\.$/,
      ),
    })
  })

  it('is said too where nobody has any to spare, and not of what nobody is paid in', () => {
    const known = registryOf(currency(1, 6), currency(2, 6))
    expect(findMoves(known, [holding(1, -5n, 700n), holding(2, 300n, 700n)])).toMatchObject([
      { chainId: 1, daysOfCover: '0.0', missing: '305', from: null },
    ])
    expect(findMoves(known, [holding(1, 0n, 0n), holding(2, 100n, 700n)])).toEqual([])
  })
})
