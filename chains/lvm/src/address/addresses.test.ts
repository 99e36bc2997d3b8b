import { describe, expect, it } from 'vitest'
import { isOwnerless, PLACEHOLDERS, validateAddress } from './addresses.js'
import { currencyOf, normalizeCurrency, routeOf } from './assets.js'
import { orderIdIn } from './memos.js'

describe('validateAddress', () => {
  it.each(['2', '723071', '281474976710654'])('takes the index %s as it is', (text) => {
    expect(validateAddress(text)).toEqual({ ok: true, canonical: text })
  })

  it.each([
    ['', 'empty'],
    ['0', 'treasury'],
    ['0723071', 'leading zeros'],
    ['281474976710655', 'too large'],
    ['9'.repeat(400), 'index'],
    ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'account index that Lighter shows'],
    ['-1', 'index'],
    ['7.0', 'index'],
    ['１２', 'index'],
    ['7\n', 'index'],
  ])('refuses %j and says why', (text, why) => {
    expect(validateAddress(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  })

  it('the first placeholder is an address, and the insurance fund has no owner', () => {
    expect(validateAddress(PLACEHOLDERS[0] ?? '').ok).toBe(true)
    expect([isOwnerless('1'), isOwnerless('2')]).toEqual([true, false])
  })
})

describe('currencies', () => {
  it.each([
    ['0', { asset: 3, route: 0 }],
    ['1', { asset: 1, route: 1 }],
    ['3', { asset: 3, route: 1 }],
  ])('%s is one asset on one route', (currency, place) => {
    expect(routeOf(currency)).toEqual(place)
    expect(currencyOf(place)).toBe(currency)
  })

  it('asset 3 is two currencies, and another asset on the perps route is none', () => {
    expect(currencyOf({ asset: 3, route: 0 })).not.toBe(currencyOf({ asset: 3, route: 1 }))
    expect([currencyOf({ asset: 1, route: 0 }), currencyOf({ asset: 3, route: 2 })]).toEqual([null, null])
  })

  it('the zero address of EVM chains is the native currency, and no other text but an index is one', () => {
    expect(normalizeCurrency(`0x${'0'.repeat(40)}`)).toBe('0')
    expect(['00', '01', '63', 'USDC', '', '1.0', `0x${'0'.repeat(32)}`].map(normalizeCurrency)).toEqual(
      Array(7).fill(null),
    )
  })
})

describe('orderIdIn', () => {
  const memo = (tail: number) => Uint8Array.from({ length: 32 }, (_, at) => (at < 32 - tail ? 0xab : 0))

  it('is the memo, unless its last 12 bytes are zero or its length is another', () => {
    expect(orderIdIn(memo(0))).toBe(`0x${'ab'.repeat(32)}`)
    expect(orderIdIn(memo(11))).toBe(`0x${'ab'.repeat(21)}${'00'.repeat(11)}`)
    expect([orderIdIn(memo(12)), orderIdIn(memo(32)), orderIdIn(memo(0).subarray(1))]).toEqual([null, null, null])
  })
})
