import { expect, test } from 'vitest'
import { readMethods } from './answers.js'
import { checkReaders, samples } from './answersFuzz.test.support.js'

test('every answer as servers give it is read, and each method has a sample', () => {
  for (const { read, answer } of samples) read(answer)
  const asked = new Set(samples.map(({ method }) => method))
  expect(readMethods.filter((method) => !asked.has(method))).toEqual([])
})

test('F161: truncated, null, wrong, huge and more: what is no answer is the failure of its server, never another error', () => {
  checkReaders(600)
})
