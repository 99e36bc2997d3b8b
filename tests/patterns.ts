import { expect } from 'vitest'

/** Workers run many files, and testers stay. */
const IS_SET = Symbol.for('causeway.patterns')

/** A pattern stands for the texts that it matches. Without this, `toMatchObject({ message: /x/ })` holds for any message at all. */
if (Reflect.get(globalThis, IS_SET) === undefined)
  expect.addEqualityTesters([
    (found, expected) => (expected instanceof RegExp && typeof found === 'string' ? expected.test(found) : undefined),
  ])
Reflect.set(globalThis, IS_SET, true)
