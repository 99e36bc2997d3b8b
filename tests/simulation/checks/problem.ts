/** A rule that does not hold. */
export interface Problem {
  /** Which rule, always in the same words. */
  readonly invariant: string
  /** What breaks it. */
  readonly words: string
}
