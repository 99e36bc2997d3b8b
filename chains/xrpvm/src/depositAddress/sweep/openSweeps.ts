/** A signed sweep that may land. */
export interface OpenSweep {
  /** The number of the account that it uses up. */
  readonly number: bigint
  /** The last ledger that may hold it. */
  readonly until: bigint
}

interface Entry extends OpenSweep {
  /** Ledger in which its number was used up; null while none was seen. */
  over: bigint | null
}

/**
 * Sweeps of this process that may still land, by tag and currency. Addresses share one account, so a second sweep of a tag would take the
 * money of others: nothing of a tag is planned anew before it is known what became of the sweep before. Core has one sweep of an address
 * at a time and says in which ledger the last one landed (`SweepSource.after`); this holds beside it.
 */
export class OpenSweeps {
  readonly #entries = new Map<string, Entry>()
  /** Those with a number that nobody signed so far. */
  readonly #drafted = new Map<string, OpenSweep>()

  drafted(part: string, currency: string, sweep: OpenSweep): void {
    this.#drafted.set(keyOf(part, currency), sweep)
  }

  /** The key was given out: whatever has a number now may be signed with it. */
  signing(): void {
    for (const [key, sweep] of this.#drafted) this.#entries.set(key, { ...sweep, over: null })
    this.#drafted.clear()
  }

  /** A ledger shows a transaction of the account, whatever it did: its number cannot be used again. */
  used(number: bigint, height: bigint): void {
    for (const entry of this.#entries.values()) if (entry.number === number) entry.over ??= height
  }

  /**
   * From which ledger on what lies there is known; null: what was signed may land in a ledger that is still to come. `height`: up to where
   * the account was read.
   */
  knownFrom(part: string, currency: string, height: bigint): bigint | null {
    const entry = this.#entries.get(keyOf(part, currency))
    if (entry === undefined) return 0n
    if (entry.over === null && height < entry.until) return null
    const from = entry.over ?? entry.until
    if (height >= from) this.#entries.delete(keyOf(part, currency))
    return from
  }
}

const keyOf = (part: string, currency: string): string => `${part} ${currency}`
