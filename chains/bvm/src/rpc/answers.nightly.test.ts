import { test } from 'vitest'
import { checkReaders } from './answersFuzz.test.support.js'

test('F161: no answer throws anything but the failure of its node, by 50,000 seeds', () => {
  checkReaders(50_000)
}, 600_000)
