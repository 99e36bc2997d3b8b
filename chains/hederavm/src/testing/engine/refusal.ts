import type { Code } from './values.js'

export class Refusal extends Error {
  constructor(readonly code: Code) {
    super(code)
  }
}

export function need(condition: boolean, code: Code): asserts condition {
  if (!condition) throw new Refusal(code)
}
