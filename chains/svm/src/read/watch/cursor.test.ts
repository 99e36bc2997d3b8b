import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cursor, cursorAt, decodeCursor, encodeCursor } from './cursor.js'

const slot = fc.bigInt({ min: 0n, max: 2n ** 63n })
const cursor: fc.Arbitrary<Cursor> = fc.record({
  slot,
  checked: slot,
  floors: fc
    .array(fc.tuple(fc.string(), fc.record({ signature: fc.option(fc.string()), slot })))
    .map((entries) => new Map(entries)),
  open: fc.array(fc.tuple(fc.string(), slot)).map((entries) => new Map(entries)),
  blocks: fc.array(fc.record({ slot, hash: fc.string() })),
})

test('a stored cursor comes back as it was', () => {
  fc.assert(
    fc.property(cursor, (value) => {
      expect(decodeCursor(JSON.parse(JSON.stringify(encodeCursor(value))))).toEqual(value)
    }),
  )
})

test('what was not written by the watcher is refused', () => {
  for (const text of [
    null,
    7,
    [],
    {},
    { slot: 1 },
    { slot: '1', floors: [['a']], open: [] },
    { slot: '1', floors: [], open: [], blocks: [[1, 'hash']] },
  ]) {
    expect(() => decodeCursor(text)).toThrow('cannot be read')
  }
  expect(decodeCursor(encodeCursor(cursorAt(5n)))).toEqual(cursorAt(5n))
})
