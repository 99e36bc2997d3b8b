import { expect, test } from 'vitest'
import { findContradictions } from './contradictions.js'

const claim = (provider: string, hash: string) => ({ endpoint: { provider }, hash })

const judged = (...claims: ReturnType<typeof claim>[]) =>
  [...findContradictions(claims, 7n)].map(([, reason]) => reason !== null)

test('invariant 3: whoever most providers contradict is not believed', () => {
  expect(judged(claim('a', '0x1'), claim('b', '0x1'), claim('c', '0x2'))).toEqual([false, false, true])
})

test('without a majority nobody is believed', () => {
  expect(judged(claim('a', '0x1'), claim('b', '0x2'))).toEqual([true, true])
  expect(judged(claim('a', '0x1'), claim('b', '0x2'), claim('c', '0x3'))).toEqual([true, true, true])
})

test('many endpoints of one provider are no majority', () => {
  expect(judged(claim('a', '0x1'), claim('a', '0x1'), claim('b', '0x2'), claim('c', '0x2'))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a provider alone is not judged, so a liar who is left keeps what is thought of it', () => {
  expect(judged(claim('a', '0x1'), claim('a', '0x1'))).toEqual([])
})
