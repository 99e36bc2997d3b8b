import { expect, test } from 'vitest'
import { Grace } from './grace.js'

test('a node has its time from the first question on, and all of it after it was right', () => {
  const grace = new Grace(100)
  expect([grace.lasts(0), grace.lasts(99), grace.lasts(100)]).toEqual([true, true, false])
  grace.end()
  expect([grace.lasts(150), grace.lasts(249), grace.lasts(250)]).toEqual([true, true, false])
})
