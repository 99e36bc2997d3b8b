import { accountsOf, type Entry } from './entries.js'

/** What is in a ledger. Entries are never changed, only replaced. */
export interface StateReader {
  get(index: string): Entry | undefined
  /** Its own root too. */
  ofAccount(account: string): Iterable<Entry>
}

export interface Change {
  readonly index: string
  readonly before: Entry | undefined
  /** Absent: it is deleted. */
  readonly after: Entry | undefined
  /** What a deleted entry was at the end. */
  readonly last?: Entry
}

/** Changes over what is in a ledger, which it leaves as it is until they are written there. */
export class View implements StateReader {
  readonly #parent: StateReader
  readonly #changed = new Map<string, Omit<Change, 'before' | 'index'>>()

  constructor(parent: StateReader) {
    this.#parent = parent
  }

  get(index: string): Entry | undefined {
    const changed = this.#changed.get(index)
    return changed === undefined ? this.#parent.get(index) : changed.after
  }

  *ofAccount(account: string): Iterable<Entry> {
    for (const entry of this.#parent.ofAccount(account)) if (!this.#changed.has(entry.index)) yield entry
    for (const { after } of this.#changed.values()) {
      if (after !== undefined && accountsOf(after).includes(account)) yield after
    }
  }

  put(entry: Entry): void {
    this.#changed.set(entry.index, { after: entry })
  }

  /** Deletes an entry, given as it is at the end. */
  erase(last: Entry): void {
    this.#changed.set(last.index, { after: undefined, last })
  }

  /** What differs from the parent, in the order in which it was first touched. */
  changes(): readonly Change[] {
    return [...this.#changed].flatMap(([index, changed]) => {
      const before = this.#parent.get(index)
      return before === undefined && changed.after === undefined ? [] : [{ index, before, ...changed }]
    })
  }

  /** Takes over the changes of a view over this one. */
  take(changes: readonly Change[]): void {
    for (const { index, before: _, ...changed } of changes) this.#changed.set(index, changed)
  }
}
