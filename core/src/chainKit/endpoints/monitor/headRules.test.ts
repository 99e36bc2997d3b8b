import { expect, test } from 'vitest'
import { findInvented, findLagging, middleOf } from './headRules.js'

const claims = (...heights: number[]) =>
  heights.map((height, at) => ({ endpoint: 'abcd'[at], height: BigInt(height), progress: BigInt(height) }))

test('at least half have reached the middle, and a single one cannot raise it', () => {
  expect(middleOf([7n, 9n])).toBe(7n)
  expect(middleOf([7n, 9n, 1_000_000n])).toBe(9n)
  expect(middleOf([])).toBeUndefined()
})

test('one of two lags behind the newer one, one of more behind the middle', () => {
  expect([...findLagging(claims(100, 69), 30n)]).toEqual(['b'])
  expect([...findLagging(claims(100, 70), 30n)]).toEqual([])
  expect([...findLagging(claims(1000, 100, 90), 30n)]).toEqual([])
  expect([...findLagging(claims(101, 100, 69), 30n)]).toEqual(['c'])
})

test('a head that nobody is near is invented; of two nobody can tell which', () => {
  expect([...findInvented(claims(229, 100, 99), 128n)]).toEqual(['a'])
  expect([...findInvented(claims(228, 100, 99), 128n)]).toEqual([])
  expect([...findInvented(claims(1_000_000, 100), 128n)]).toEqual([])
})
