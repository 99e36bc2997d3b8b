/** An entry of a ledger's state. Entries are replaced, never changed. */
export interface StateEntry {
  readonly index: string
}

/** The state at one height. */
export interface StateReader<E extends StateEntry> {
  readonly ownersOf: (entry: E) => readonly string[]
  get(index: string): E | undefined
  ofOwner(owner: string): Iterable<E>
}

export interface StateChange<E extends StateEntry> {
  readonly index: string
  readonly before: E | undefined
  /** Undefined: the entry is deleted. */
  readonly after: E | undefined
  /** The last form of a deleted entry. */
  readonly last?: E
}

/** Changes on top of a state, which stays unchanged until they are written there. */
export class StateView<E extends StateEntry> implements StateReader<E> {
  readonly ownersOf: (entry: E) => readonly string[]
  readonly #parent: StateReader<E>
  readonly #changed = new Map<string, Omit<StateChange<E>, 'before' | 'index'>>()

  constructor(parent: StateReader<E>) {
    this.#parent = parent
    this.ownersOf = parent.ownersOf
  }

  get(index: string): E | undefined {
    const changed = this.#changed.get(index)
    return changed === undefined ? this.#parent.get(index) : changed.after
  }

  *ofOwner(owner: string): Iterable<E> {
    for (const entry of this.#parent.ofOwner(owner)) if (!this.#changed.has(entry.index)) yield entry
    for (const { after } of this.#changed.values()) {
      if (after !== undefined && this.ownersOf(after).includes(owner)) yield after
    }
  }

  put(entry: E): void {
    this.#changed.set(entry.index, { after: entry })
  }

  /** Deletes an entry, given in its last form. */
  erase(last: E): void {
    this.#changed.set(last.index, { after: undefined, last })
  }

  /** Differences from the parent, in the order of the first change. */
  changes(): readonly StateChange<E>[] {
    return [...this.#changed].flatMap(([index, changed]) => {
      const before = this.#parent.get(index)
      return before === undefined && changed.after === undefined ? [] : [{ index, before, ...changed }]
    })
  }

  /** Applies the changes of a view on top of this one. */
  take(changes: readonly StateChange<E>[]): void {
    for (const { index, before: _, ...changed } of changes) this.#changed.set(index, changed)
  }
}

interface Version<E> {
  readonly height: number
  readonly entry: E | undefined
}

/** The state after every block. */
export class VersionedState<E extends StateEntry> {
  readonly #ownersOf: (entry: E) => readonly string[]
  readonly #versions = new Map<string, Version<E>[]>()
  readonly #byOwner = new Map<string, Set<string>>()

  /** `ownersOf` names the accounts that list an entry. */
  constructor(ownersOf: (entry: E) => readonly string[] = () => []) {
    this.#ownersOf = ownersOf
  }

  /** The state after the block of this height. */
  at(height: number): StateReader<E> {
    const get = (index: string): E | undefined =>
      this.#versions.get(index)?.findLast((version) => version.height <= height)?.entry
    const byOwner = this.#byOwner
    return {
      ownersOf: this.#ownersOf,
      get,
      *ofOwner(owner) {
        for (const index of byOwner.get(owner) ?? []) {
          const entry = get(index)
          if (entry !== undefined) yield entry
        }
      },
    }
  }

  /** Adds the changes of a block, newer than all before. */
  write(height: number, changes: readonly StateChange<E>[]): void {
    for (const { index, after } of changes) {
      const versions = this.#versions.get(index)
      if (versions === undefined) this.#versions.set(index, [{ height, entry: after }])
      else versions.push({ height, entry: after })
      for (const owner of after === undefined ? [] : this.#ownersOf(after)) {
        this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(index))
      }
    }
  }

  /** Removes the changes of all blocks from this height on. */
  drop(from: number): void {
    for (const [index, versions] of this.#versions) {
      this.#versions.set(
        index,
        versions.filter(({ height }) => height < from),
      )
    }
  }
}
