import { OrderEncodingError } from '../order/orderEncodingError.js'
import { UnreadableQuoteError } from './quoteView.js'

const MAX_SHOWN = 80

const shown = (value: unknown): string => String(value).slice(0, MAX_SHOWN)

/** What the checks of one quote found. */
export class Findings {
  /** What is wrong, in words. */
  readonly problems: string[] = []
  /** What no check can tell, in words. */
  readonly notCovered: string[] = []

  /** Notes a problem unless both are the same. */
  same(what: string, found: unknown, expected: unknown): void {
    if (found !== expected) this.problems.push(`${what} is ${shown(found)}, not ${shown(expected)}`)
  }

  /** The same, where letter case means nothing. */
  sameHex(what: string, found: string, expected: string): void {
    this.same(what, found.toLowerCase(), expected.toLowerCase())
  }

  require(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem)
  }

  /** Runs a check; what it cannot read is a problem, and null is returned. */
  attempt<T>(check: () => T): T | null {
    try {
      return check()
    } catch (error) {
      if (error instanceof OrderEncodingError || error instanceof UnreadableQuoteError) {
        this.problems.push(error.message)
        return null
      }
      // A part of the quote has a form so odd that the order's encoding could not even refuse it.
      if (error instanceof TypeError || error instanceof RangeError) {
        this.problems.push('A part of the quote cannot be read')
        return null
      }
      throw error
    }
  }
}
