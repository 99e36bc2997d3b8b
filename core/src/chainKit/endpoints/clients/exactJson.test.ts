import { expect, it } from 'vitest'
import { parseExactJson } from './exactJson.js'

it('an amount above 2^53 keeps every digit', () => {
  const text = '{"amount":9007199254740993,"list":[-9223372036854775807,0],"rate":1.50,"is":true,"none":null}'
  expect(parseExactJson(text)).toEqual({
    ...{ amount: '9007199254740993', list: ['-9223372036854775807', '0'], rate: '1.50', is: true, none: null },
  })
})

it('digits within a text stay as they are, whatever the text holds', () => {
  const name = 'a": 9007199254740993, "amount": 1, \\" {[-5'
  expect(parseExactJson(JSON.stringify({ name, amount: 7 }))).toEqual({ name, amount: '7' })
})

it.each(['', '{', '{"a":01}', 'NaN', '{"a":1}x'])('%j is no JSON', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError)
})
