/** Transactions that wait for a block. */
export class LedgerPool<T> {
  #waiting: { readonly tx: T; held: boolean }[] = []
  #isHolding = false

  add(tx: T): void {
    this.#waiting.push({ tx, held: this.#isHolding })
  }

  get isHolding(): boolean {
    return this.#isHolding
  }

  get all(): readonly T[] {
    return this.#waiting.map(({ tx }) => tx)
  }

  /** Removes and returns the transactions for the next block: all that are not held. */
  take(): readonly T[] {
    const taken = this.#waiting.filter(({ held }) => !held)
    this.#waiting = this.#waiting.filter(({ held }) => held)
    return taken.map(({ tx }) => tx)
  }

  /** Holds back new transactions. */
  hold(): void {
    this.#isHolding = true
  }

  /** Ends `hold`. Returns the dropped transactions; without `drop` they are left to the next block. */
  release(drop: boolean): readonly T[] {
    this.#isHolding = false
    const held = this.#waiting.filter((waiting) => waiting.held)
    if (drop) this.#waiting = this.#waiting.filter((waiting) => !waiting.held)
    for (const waiting of held) waiting.held = false
    return drop ? held.map(({ tx }) => tx) : []
  }
}
