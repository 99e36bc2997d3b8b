import { test } from 'vitest'
import { checkReaders } from './answersFuzz.test.support.js'

test('F161: no answer or message throws anything but the failure of its server, by 50,000 seeds', () => {
  checkReaders(50_000)
}, 600_000)
