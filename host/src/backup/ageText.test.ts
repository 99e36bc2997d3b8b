import { expect, it } from 'vitest'
import { ageText } from './ageText.js'

it.each([
  [-5_000, '0 s'],
  [1, '1 s'],
  [7_000, '7 s'],
  [119_000, '119 s'],
  [120_000, '2 min'],
  [121_000, '3 min'],
  [3 * 3_600_000, '3 h'],
  [49 * 3_600_000, '3 days'],
])('the age of a backup is told in a unit that fits it: %d ms', (milliseconds, text) => {
  expect(ageText(milliseconds)).toBe(text)
})
