import { expect, test } from 'vitest'
import { HeadPace, silenceOf } from './headPace.js'
import { HeadRace } from './headRace.js'

/** A race whose chain has a block every `usualMs`, of which nine were seen until 0. */
const raceOf = (usualMs: number) => {
  const pace = new HeadPace(usualMs)
  for (let block = 0; block < 10; block++) pace.note(BigInt(91 + block), (block - 9) * usualMs)
  const race = new HeadRace<string>(pace)
  const round = (at: number, heights: Readonly<Record<string, number>>) => {
    const heads = Object.entries(heights).map(([endpoint, height]) => ({
      endpoint,
      height: BigInt(height),
      askedAt: at,
      answeredAt: at + 50,
    }))
    race.judge(heads)
    const highest = Math.max(...Object.values(heights))
    pace.note(BigInt(highest), at + 50)
    return Object.fromEntries(Object.keys(heights).map((endpoint) => [endpoint, race.latenessOf(endpoint)]))
  }
  return { pace, race, round }
}

test('F131: one that stands still is the last choice after half the usual time, and no vote after three times', () => {
  const { race, round } = raceOf(12_000)
  expect(round(0, { a: 100, b: 100 })).toEqual({ a: 'none', b: 'none' })
  expect(round(12_000, { a: 100, b: 101 })).toEqual({ a: 'none', b: 'none' })
  expect(race.isOpen).toBe(true)
  expect(round(17_000, { a: 100, b: 101 })).toEqual({ a: 'none', b: 'none' })
  expect(round(19_000, { a: 100, b: 101 })).toEqual({ a: 'behind', b: 'none' })
  expect(round(49_000, { a: 100, b: 104 })).toEqual({ a: 'stands', b: 'none' })
  expect(race.reasonOf('a')).toBe('Its newest block is 100, and another node showed 101 37 s before.')
})

test('F131: one that comes late again and again is late though it moves', () => {
  const { round } = raceOf(2000)
  let states = {}
  for (let at = 0; at <= 20_000; at += 1000) {
    const head = 100 + Math.floor(at / 2000)
    states = round(at, { a: Math.max(100, head - 8), b: head })
  }
  expect(states).toEqual({ a: 'stands', b: 'none' })
})

test('F131: a chain that is silent, and one whose blocks come when they like, make nobody late', () => {
  const silent = raceOf(2000)
  for (let at = 0; at < 600_000; at += 5000) expect(silent.round(at, { a: 100, b: 100 }).a).toBe('none')
  const irregular = raceOf(2000)
  let height = 100
  for (const [index, pause] of [100, 90_000, 50, 50, 3_600_000, 700, 20_000].entries()) {
    height += index === 3 ? 500 : 1
    expect(irregular.round(index * 4_000_000 + pause, { a: height, b: height }).a).toBe('none')
  }
})

test('F131: two that were asked in one round may differ, however fast the chain is', () => {
  const { race, round } = raceOf(250)
  for (let at = 0; at < 20_000; at += 5000) {
    const head = 100 + at / 250
    expect(round(at, { a: head, b: head + 1 })).toEqual({ a: 'none', b: 'none' })
    expect(race.isOpen).toBe(false)
  }
})

test('F131: one that shows old state is late at once; it is not the others that are', () => {
  const { round } = raceOf(2000)
  for (let block = 0; block < 20; block++) round(block * 2000, { a: 100 + block, b: 100 + block })
  expect(round(40_000, { a: 101, b: 120 })).toEqual({ a: 'stands', b: 'none' })
})

test('F131: it comes back once it moved and caught up, later with each time that it fell behind', () => {
  const { round } = raceOf(2000)
  const heldFor = (from: number, height: number) => {
    round(from, { a: height, b: height })
    round(from + 2000, { a: height, b: height + 1 })
    expect(round(from + 4000, { a: height, b: height + 2 }).a).toBe('behind')
    for (let after = 500; ; after += 500) {
      const at = from + 4000 + after
      if (
        round(at, { a: height + 2 + Math.floor(after / 2000), b: height + 2 + Math.floor(after / 2000) }).a === 'none'
      )
        return after
    }
  }
  const [first, second, third] = [heldFor(0, 100), heldFor(100_000, 200), heldFor(200_000, 300)]
  expect(second).toBeGreaterThan(first)
  expect(third).toBeGreaterThan(second)
})

test('F131: alone it stays as late as it was until it moves: that nobody else answers makes it no better', () => {
  const { round } = raceOf(2000)
  round(0, { a: 100, b: 100 })
  round(2000, { a: 100, b: 101 })
  expect(round(20_000, { a: 100, b: 110 }).a).toBe('stands')
  expect(round(60_000, { a: 100 }).a).toBe('stands')
  expect(round(90_000, { a: 101 }).a).toBe('none')
})

test('a head that one invented makes nobody late once it is not shown any more', () => {
  const { round } = raceOf(2000)
  round(0, { a: 100, b: 1_000_000 })
  expect(round(1000, { a: 100, b: 100 })).toEqual({ a: 'none', b: 'none' })
  expect(round(60_000, { a: 130, b: 130 })).toEqual({ a: 'none', b: 'none' })
})

test('the pace is the middle of what a block took; what it explains grows with the time', () => {
  const { pace } = raceOf(2000)
  expect(pace.usualMs).toBe(2000)
  expect(pace.explained(0, 10n)).toBe(110n)
  expect(pace.explained(20_000, 10n)).toBe(210n)
  pace.note(2n ** 53n, 1000)
  expect(pace.usualMs).toBe(2000)
  pace.note(101n, 2000)
  pace.note(116n, 32_000)
  expect(pace.explained(32_000, 0n)).toBe(116n)
})

test('F131: silence is told only where it is far longer than any pause of late', () => {
  const { pace } = raceOf(20_000)
  expect(pace.overdueMs(19_000)).toBeNull()
  expect(pace.overdueMs(21_000)).toBe(21_000)
  expect(silenceOf(pace, 79_000)).toBeNull()
  expect(silenceOf(pace, 81_000)).toBe('It shows no new block for 81 s, far longer than before.')
})
