import { Type } from '@sinclair/typebox'
import { expect, it } from 'vitest'
import { valueReader } from './queryValues.js'
import { isStorableText } from './storableText.js'

it.each([
  ['', true],
  ['é ٣ 😀 \u0001', true],
  ['a\u0000', false],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
])('%j: %s (faults.md F91)', (text, expected) => {
  expect(isStorableText(text)).toBe(expected)
})

it('U+0000 in a declared query parameter is refused, in an unknown one ignored', () => {
  const read = valueReader(Type.Object({ term: Type.String(), ids: Type.Array(Type.String()) }))
  expect(read({ term: 'x', other: '\u0000' })).toEqual({ term: 'x' })
  expect(() => read({ term: 'x\u0000' })).toThrow('query.term')
  expect(() => read({ ids: ['1', '\u0000'] })).toThrow('query.ids')
})
