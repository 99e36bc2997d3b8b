import type { StoredPayout } from '@causeway/core/money-path'

const nameOf = ({ id, generation }: StoredPayout): string => `${id}:${generation}`

/**
 * A generation is dead, and none of its transactions spent its guards. What did may pay this very order, signed before commits were
 * lost: the lane closes and is read again before anything follows (faults.md F121).
 */
export class ForeignSpend extends Error {
  override readonly name = 'ForeignSpend'
  readonly payout: StoredPayout

  constructor(payout: StoredPayout) {
    super(`Something that the journal does not know spent a guard of payout ${payout.id}; the lane is read again.`)
    this.payout = payout
  }
}

/** The generations after whose death the lane was read again. */
export class ReadAgain {
  readonly #known = new Set<string>()

  has(payout: StoredPayout): boolean {
    return this.#known.has(nameOf(payout))
  }

  add(payout: StoredPayout): void {
    this.#known.add(nameOf(payout))
  }

  /** Its death is recorded: nobody asks any more. */
  delete(payout: StoredPayout): void {
    this.#known.delete(nameOf(payout))
  }
}
