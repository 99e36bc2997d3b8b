import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageOf, MOST_CHOSEN, NONE_CHOSEN, withAll, withOne, withRange } from './chosenRows.js'

const LIST = ['a', 'b', 'c', 'd', 'e']
const keysOf = ({ keys }: { readonly keys: ReadonlySet<string> }) => [...keys].sort()

describe('chosen rows', () => {
  it('toggles one row and leaves the others', () => {
    const two = withOne(withOne(NONE_CHOSEN, 'b'), 'd')
    expect(keysOf(two)).toEqual(['b', 'd'])
    expect(keysOf(withOne(two, 'b'))).toEqual(['d'])
    expect(keysOf(NONE_CHOSEN)).toEqual([])
  })

  it.each([
    ['d', 'b', ['b', 'c', 'd']],
    ['b', 'd', ['b', 'c', 'd']],
    ['c', 'c', ['c']],
  ])('extends from %s to %s in the order of the list', (anchor, key, expected) => {
    expect(keysOf(withRange(withOne(NONE_CHOSEN, anchor), key, LIST))).toEqual(expected)
  })

  it('extends twice from the same row', () => {
    const once = withRange(withOne(NONE_CHOSEN, 'c'), 'e', LIST)
    expect(keysOf(withRange(once, 'a', LIST))).toEqual(LIST)
  })

  it('toggles one row if the first row of the range left the list', () => {
    expect(keysOf(withRange(withOne(NONE_CHOSEN, 'gone'), 'd', LIST))).toEqual(['d', 'gone'])
    expect(keysOf(withRange(NONE_CHOSEN, 'd', LIST))).toEqual(['d'])
  })

  it('covers none, some or all of the list, whatever else is chosen', () => {
    const gone = withOne(NONE_CHOSEN, 'gone')
    expect(coverageOf(gone, LIST)).toBe('none')
    expect(coverageOf(withOne(gone, 'a'), LIST)).toBe('some')
    expect(coverageOf(withAll(LIST), LIST)).toBe('all')
    expect(coverageOf(NONE_CHOSEN, [])).toBe('none')
  })

  it('holds at most the rows of one action, the first ones of the list', () => {
    const long = Array.from({ length: MOST_CHOSEN + 5 }, (_, at) => String(at))
    const all = withAll(long)
    expect([...all.keys]).toEqual(long.slice(0, MOST_CHOSEN))
    expect(coverageOf(all, long)).toBe('all')
    expect(withOne(all, 'one more').keys.size).toBe(MOST_CHOSEN)
    expect(withRange(withOne(NONE_CHOSEN, '0'), String(MOST_CHOSEN + 4), long).keys.size).toBe(MOST_CHOSEN)
  })

  it('never chooses a row outside the list by a range', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.nat(), fc.nat(), (list, one, other) => {
        if (list.length === 0) return
        const [anchor, key] = [list[one % list.length] ?? '', list[other % list.length] ?? '']
        const { keys } = withRange(withOne(NONE_CHOSEN, anchor), key, list)
        expect([...keys].every((each) => list.includes(each))).toBe(true)
        expect(keys.has(anchor) && keys.has(key)).toBe(true)
      }),
    )
  })
})
