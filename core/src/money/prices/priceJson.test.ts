import { describe, expect, it } from 'vitest'
import { parseExactJson, readPrice, readUnixSeconds } from './priceJson.js'

describe('JSON of a price source', () => {
  it('keeps every digit of its numbers, and leaves digits in texts alone', () => {
    const text = '{"a":0.1234567890123456789,"b":[-1,1e-7,2E+3],"c":"5 \\"6\\" 7e8","d 9":null,"e":true}'
    expect(parseExactJson(text)).toEqual({
      a: '0.1234567890123456789',
      b: ['-1', '1e-7', '2E+3'],
      c: '5 "6" 7e8',
      'd 9': null,
      e: true,
    })
  })

  it.each(['', '{', '{"a":01}', '{"a":1.}', '{"a":NaN}', '{"a":1,"a":2}', `${'['.repeat(40)}${']'.repeat(40)}`])(
    'refuses %s',
    (text) => expect(() => parseExactJson(text)).toThrow(),
  )
})

describe('readPrice (F79)', () => {
  it.each([
    ['2000.5', 2_000_500_000_000_000_000_000n],
    ['1', 10n ** 18n],
    ['1e-7', 10n ** 11n],
    ['1.5E+3', 1_500n * 10n ** 18n],
    ['0.1234567890123456789', 123_456_789_012_345_678n],
    ['0000000000000000000000001.00', 10n ** 18n],
    ['1e-14', 10_000n],
  ])('%s is a price to eighteen decimals', (text, usd) => expect(readPrice(text)).toBe(usd))

  it.each([
    [
      '0',
      '0.000',
      '0e5',
      '-1',
      '-0',
      '+1',
      '',
      ' 1',
      '1 ',
      'NaN',
      'Infinity',
      '0x10',
      '1,5',
      '1_000',
      '.5',
      '5.',
      'e5',
    ],
    ['1e', '1e1.5', '1e400', '1e-400', '1e9999', '9'.repeat(61), '1e16', '9.9e-15', '1e-18'],
    [1, 1n, null, undefined, true, {}, ['1'], Number.NaN],
  ])('nothing else ever is one', (...texts) => {
    for (const text of texts) expect([text, readPrice(text)]).toEqual([text, 0n])
  })
})

it('reads whole Unix seconds only', () => {
  expect(readUnixSeconds('1711356300')).toBe(1_711_356_300_000)
  for (const text of ['0', '-1', '1.5', '1e9', '', '123456789012', 5, null]) expect(readUnixSeconds(text)).toBeNull()
})
