import type { Code } from './values.js'

/** Ends a transaction with a response code. */
export class Refusal extends Error {
  constructor(readonly code: Code) {
    super(code)
  }
}

/** @throws Refusal unless the condition holds */
export function need(condition: boolean, code: Code): asserts condition {
  if (!condition) throw new Refusal(code)
}
