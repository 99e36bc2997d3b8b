import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from '../rpc/exactJson.js'
import { bitcoinsOfSatoshis, satoshisOfBitcoins } from './satoshis.js'

const satoshis = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })

test('chains.md bvm 4: bitcoins in text go to satoshis and back without loss', () => {
  fc.assert(fc.property(satoshis, (amount) => satoshisOfBitcoins(bitcoinsOfSatoshis(amount)) === amount))
})

test.each([
  ['0.00000001', 1n],
  ['1', 100_000_000n],
  ['20999999.97690000', 2_099_999_997_690_000n],
  ['1e-8', 1n],
  ['1.5E+2', 15_000_000_000n],
  ['0.1000000000', 10_000_000n],
])('%s bitcoins are %s satoshis', (text, amount) => {
  expect(satoshisOfBitcoins(text)).toBe(amount)
})

test.each(['', '-1', '0.000000001', '1e-9', '.5', '1.', '1e999', 'NaN', '0x1', '1'.repeat(41), '1 '])(
  '%j is no amount',
  (text) => {
    expect(() => satoshisOfBitcoins(text)).toThrow(/amount/)
  },
)

test('numbers of JSON keep their text where floating point would touch them; all else is as it was', () => {
  const text =
    '{"a":0.10000000,"b":[21000000.00000001,1e-8,-0.5],"c":7,"d":9007199254740993,"e":"0.5 \\" 1.5","0.1":null}'
  expect(parseExactJson(text)).toEqual({
    a: '0.10000000',
    b: ['21000000.00000001', '1e-8', '-0.5'],
    c: 7,
    d: '9007199254740993',
    e: '0.5 " 1.5',
    '0.1': null,
  })
})

test('JSON without such numbers is read as usual, and what is no JSON is refused', () => {
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(fc.maxSafeInteger(), fc.string(), fc.boolean(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('node'), { maxLength: 4 }),
    map: fc.dictionary(fc.string(), tie('node'), { maxKeys: 4 }),
  })).node
  fc.assert(
    fc.property(tree, (value) => {
      const text = JSON.stringify(value)
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
    }),
  )
  for (const text of ['', '{"a":0.1', '{a:1}', '01', '"']) expect(() => parseExactJson(text)).toThrow(SyntaxError)
})

test('a block of four megabytes in hex is read', () => {
  expect(parseExactJson(`{"hex":"${'ab'.repeat(4_000_000)}","value":0.5}`)).toMatchObject({ value: '0.5' })
})
