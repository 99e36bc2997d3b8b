import type { Currency } from '@causeway/core'
import { FEE_COMPONENTS, type FeeComponent, type FeeLine, sumFees } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideLines, type FeeChoice, feeShares, sumOf, totalsOf } from './feeShares.js'

const CURRENCY: Currency = {
  chainId: 8,
  address: '0xc2',
  symbol: 'USDC',
  name: 'USDC',
  decimals: 6,
  vmType: 'evm',
  groupId: 'usdc',
  metadata: { logoURI: '', verified: true, isNative: false },
}

const line = (bucket: FeeLine['bucket'], amount: bigint, more: Partial<FeeLine> = {}): FeeLine => ({
  bucket,
  payer: 'user',
  money: { currency: CURRENCY, amount },
  ...more,
})

const ALL: ReadonlySet<FeeComponent> = new Set(FEE_COMPONENTS)
const choice = (more: Partial<FeeChoice> = {}): FeeChoice => ({
  selected: ALL,
  bps: 10_000n,
  cap: null,
  ...more,
})

const lines = fc.array(
  fc
    .record({
      bucket: fc.constantFrom('gas', 'execution', 'swap', 'platform', 'app', 'rent'),
      amount: fc.oneof(fc.bigInt({ min: -1_000n, max: 1_000n }), fc.bigInt({ min: 0n, max: 10n ** 30n })),
      owedTo: fc.option(fc.constantFrom('0xaa', '0xbb'), { nil: undefined }),
    })
    .map(({ bucket, amount, owedTo }) =>
      line(bucket as FeeLine['bucket'], amount, owedTo === undefined ? {} : { owedTo }),
    ),
  { maxLength: 12 },
)
const choices = fc.record({
  selected: fc.subarray([...FEE_COMPONENTS]).map((list): ReadonlySet<FeeComponent> => new Set(list)),
  bps: fc.bigInt({ min: 0n, max: 10_000n }),
  cap: fc.option(fc.oneof(fc.bigInt({ min: 0n, max: 3_000n }), fc.bigInt({ min: 0n, max: 10n ** 31n })), { nil: null }),
})

describe('fees between user and sponsor (wire.md 1.5, D.9)', () => {
  const seven = [line('gas', 2n), line('execution', 1n), line('platform', 4n)]

  it.each([
    { what: 'all of it', more: {}, sponsored: 7n, capHit: false },
    { what: 'seven of which five are allowed', more: { cap: 5n }, sponsored: 5n, capHit: true },
    { what: 'just as much as is allowed', more: { cap: 7n }, sponsored: 7n, capHit: false },
    { what: 'one unit less than that', more: { cap: 6n }, sponsored: 6n, capHit: true },
    { what: 'nothing allowed', more: { cap: 0n }, sponsored: 0n, capHit: true },
    { what: 'a share, each component rounded down', more: { bps: 5_000n }, sponsored: 3n, capHit: false },
    { what: 'a share of 0', more: { bps: 0n, cap: 0n }, sponsored: 0n, capHit: false },
    { what: 'the share before the cap', more: { bps: 5_000n, cap: 3n }, sponsored: 3n, capHit: false },
    { what: 'one component', more: { selected: new Set(['platform' as const]) }, sponsored: 4n, capHit: false },
    {
      what: 'none that has a fee',
      more: { selected: new Set(['app' as const]), cap: 0n },
      sponsored: 0n,
      capHit: false,
    },
  ])('$what', ({ more, sponsored, capHit }) => {
    const shares = feeShares(totalsOf(seven), choice(more))
    expect([sumOf(shares.sponsored), shares.capHit]).toEqual([sponsored, capHit])
  })

  it('a cap is used up in the order execution, swap, platform, app, rent', () => {
    const all = [line('rent', 10n), line('app', 10n), line('platform', 10n), line('swap', 10n), line('gas', 10n)]
    const { sponsored } = feeShares(totalsOf(all), choice({ cap: 25n }))
    expect(sponsored).toEqual({ execution: 10n, swap: 10n, platform: 5n, app: 0n, rent: 0n })
  })

  it('rent that is not selected leaves all to the user, and what gives the user something is not taken', () => {
    const selected: ReadonlySet<FeeComponent> = new Set(['execution', 'swap', 'platform', 'app'])
    expect(sumOf(feeShares(totalsOf([...seven, line('rent', 1n)]), choice({ selected })).sponsored)).toBe(0n)
    const { sponsored } = feeShares(totalsOf([...seven, line('swap', -9n)]), choice())
    expect(sponsored).toMatchObject({ swap: 0n, execution: 3n, platform: 4n })
  })

  it('divides each line so that every sum stays: per component, per balance it goes to, of all; never more than the cap', () => {
    fc.assert(
      fc.property(lines, choices, (given, made) => {
        const divided = divideLines(given, made)
        const sum = (list: readonly FeeLine[], test: (item: FeeLine) => boolean) =>
          list.filter(test).reduce((total, { money }) => total + money.amount, 0n)
        for (const bucket of ['gas', 'execution', 'swap', 'platform', 'app', 'rent']) {
          for (const owedTo of [undefined, '0xaa', '0xbb']) {
            const same = (item: FeeLine) => item.bucket === bucket && item.owedTo === owedTo
            expect(sum(divided, same)).toBe(sum(given, same))
          }
        }
        const { sponsored, capHit } = feeShares(totalsOf(given), made)
        expect(totalsOf(divided, 'sponsor')).toEqual(sponsored)
        const { subsidized, userPays } = sumFees(divided, CURRENCY)
        expect(subsidized).toBe(sumOf(sponsored))
        expect(subsidized + userPays).toBe(sumOf(totalsOf(given)))
        if (made.cap !== null) expect(subsidized <= made.cap).toBe(true)
        if (capHit) expect(subsidized).toBe(made.cap)
        for (const { payer, money } of divided) if (payer === 'sponsor') expect(money.amount > 0n).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('lets the user’s part grow with a fee by no more than the fee does', () => {
    fc.assert(
      fc.property(lines, choices, fc.nat(1_000), fc.constantFrom(...FEE_COMPONENTS), (given, made, more, grown) => {
        const bucket = grown === 'execution' ? 'gas' : grown
        const userPays = (list: readonly FeeLine[]) => sumFees(divideLines(list, made), CURRENCY).userPays
        fc.pre(made.selected.has('rent') || grown !== 'rent')
        const growth = userPays([...given, line(bucket, BigInt(more))]) - userPays(given)
        expect(growth >= 0n && growth <= BigInt(more)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
