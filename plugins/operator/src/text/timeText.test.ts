import { expect, it } from 'vitest'
import { due, span } from './timeText.js'

it.each([
  [12_400, 'in 12 s'],
  [-200_000, 'overdue by 3 min'],
  [400, 'now'],
  [-7_300_000, 'overdue by 2 h'],
  [3 * 86_400_000, 'in 3 d'],
])('says when something is due: %i ms from now is %s', (offset, text) => {
  expect(due(1_000_000_000_000 + offset, 1_000_000_000_000)).toBe(text)
})

it('keeps spans below a second in milliseconds', () => {
  expect(span(250)).toBe('250 ms')
})
