import { expect, it } from 'vitest'
import { coversAll, parseRanges, wholeSince } from './ledgerRanges.js'

it('a server says which ledgers it has, with gaps', () => {
  const ranges = parseRanges('5-9,12,20-30') ?? []
  expect([9n, 12n, 25n, 11n, 31n].map((height) => wholeSince(ranges, height))).toEqual([5n, 12n, 20n, null, null])
  expect(coversAll(ranges, 6n, 9n)).toBe(true)
  expect(coversAll(ranges, 9n, 12n)).toBe(false)
  expect(coversAll(ranges, 4n, 9n)).toBe(false)
})

it('a server without history says so; what is no list of ranges is none', () => {
  expect(parseRanges('empty')).toEqual([])
  for (const text of ['9-5', 'all', '1-2;3', '-', '1--2']) expect(parseRanges(text)).toBeNull()
})
