import { describe, expect, it } from 'vitest'
import { currencyOf, NATIVE, normalizeCurrency, payableBy, readCurrency, validateAddress } from './addresses.js'
import { paymentId, readPaymentId } from './paymentIds.js'

const SPOT = '0x6d1e7cde53ba9467b783cb7c530ce054'
const XYZ = `${SPOT}78797a`
const ZERO = `0x${'0'.repeat(40)}`

describe('currencies (chains.md hypevm 1)', () => {
  it.each([
    [NATIVE, NATIVE],
    [ZERO, NATIVE],
    [SPOT.toUpperCase().replace('0X', '0x'), SPOT],
    [XYZ.toUpperCase().replace('0X', '0x'), XYZ],
  ])('%s is %s', (text, canonical) => {
    expect(normalizeCurrency(text)).toBe(canonical)
  })

  it.each([
    ...['', 'USDC', SPOT.slice(0, -2), `${SPOT}0`, `${SPOT}00`, `${SPOT}${Buffer.from('spot').toString('hex')}`],
    ...[`0x${'1'.repeat(66)}`, `${SPOT}${'61'.repeat(17)}`, SPOT.slice(2)],
  ])('%s is none', (text) => {
    expect(normalizeCurrency(text)).toBeNull()
  })

  it('name an exchange and a token: perps and spot USDC are two currencies', () => {
    expect(readCurrency(NATIVE)).toEqual({ tokenId: null, dex: '' })
    expect(readCurrency(SPOT)).toEqual({ tokenId: SPOT, dex: 'spot' })
    expect(readCurrency(XYZ)).toEqual({ tokenId: SPOT, dex: 'xyz' })
    expect([currencyOf(SPOT, '', SPOT), currencyOf(SPOT, 'spot', SPOT), currencyOf(SPOT, 'xyz', SPOT)]).toEqual([
      NATIVE,
      SPOT,
      XYZ,
    ])
    expect(currencyOf(`0x${'1'.repeat(32)}`, '', SPOT)).toBeNull()
  })

  it('of perpetuals exchanges are paid in millionths', () => {
    const payable = payableBy((currency) => (currency === XYZ ? 8 : null))
    expect(payable({ currency: NATIVE, amount: 1_234_567n })).toBe(1_234_500n)
    expect(payable({ currency: XYZ, amount: 199n })).toBe(100n)
    expect(payable({ currency: SPOT, amount: 199n })).toBe(199n)
  })
})

describe('accounts', () => {
  it('of 20 zero bytes, and the native marker, are the native marker', () => {
    for (const text of [ZERO, NATIVE]) expect(validateAddress(text)).toEqual({ ok: true, canonical: NATIVE })
  })

  it('have one spelling, and capitals must be right', () => {
    const canonical = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    expect(validateAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toEqual({ ok: true, canonical })
    expect(validateAddress('0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045').ok).toBe(false)
    expect(validateAddress(SPOT).ok).toBe(false)
  })
})

it('the id of a payment holds its sender and nonce, and no hash is taken for one', () => {
  const id = { sender: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', nonce: 1_796_000_000_123 }
  expect(readPaymentId(paymentId(id))).toEqual(id)
  expect(paymentId(id)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(readPaymentId(`0x${'ab'.repeat(32)}`)).toBeNull()
})
