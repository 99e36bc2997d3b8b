import { expect, test } from 'vitest'
import { checkReaders, samples } from './answersFuzz.test.support.js'

test('answers as nodes give them are read', () => {
  const [esplora, core, raw, , amount] = samples
  for (const sample of [esplora, core, raw, amount]) expect(() => sample?.read(sample.answer)).not.toThrow()
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its node, never another error', () => {
  checkReaders(600)
})
