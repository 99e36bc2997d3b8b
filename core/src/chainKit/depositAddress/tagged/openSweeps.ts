/** A signed sweep that may land. */
export interface OpenSweep {
  /** Number of the account that the sweep uses up. */
  readonly number: bigint
  /** Newest height that may hold the sweep, or the last second of block time where payments expire by time. */
  readonly until: bigint
}

interface Entry extends OpenSweep {
  /** Height at which the number was used up; null while no node showed one. */
  over: bigint | null
}

/**
 * Sweeps of this process that may land, by label and currency. Addresses share one account, so a second sweep of a label would take money of
 * other addresses. Core knows landed sweeps (`SweepSource.after`); this class knows those that are in flight.
 */
export class OpenSweeps {
  readonly #entries = new Map<string, Entry>()
  /** Sweeps with a number and without a signature. */
  readonly #drafted = new Map<string, OpenSweep>()

  drafted(label: string, currency: string, sweep: OpenSweep): void {
    this.#drafted.set(keyOf(label, currency), sweep)
  }

  /** The key was handed out: every drafted sweep may now be signed. */
  signing(): void {
    for (const [key, sweep] of this.#drafted) this.#entries.set(key, { ...sweep, over: null })
    this.#drafted.clear()
  }

  /** A block shows a transaction of the account, so its number cannot be used twice. */
  used(number: bigint, height: bigint): void {
    for (const entry of this.#entries.values()) if (entry.number === number) entry.over ??= height
  }

  /**
   * Height from which on the sum of a label is known; null while a signed sweep may land above `height`.
   * @param height - height up to which the account was read
   * @param point - the same in the unit of `until`
   */
  knownFrom(label: string, currency: string, height: bigint, point = height): bigint | null {
    const entry = this.#entries.get(keyOf(label, currency))
    if (entry === undefined) return 0n
    if (entry.over === null && point < entry.until) return null
    const from = entry.over ?? height
    if (height >= from) this.#entries.delete(keyOf(label, currency))
    return from
  }
}

const keyOf = (label: string, currency: string): string => `${label} ${currency}`
