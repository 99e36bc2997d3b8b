import { accountsOf, type Entry } from './entries.js'
import type { Change, StateReader } from './view.js'

interface Version {
  readonly ledger: number
  readonly entry: Entry | undefined
}

/** What every closed ledger holds. */
export class StateHistory {
  readonly #versions = new Map<string, Version[]>()
  readonly #byAccount = new Map<string, Set<string>>()

  /** What was in a ledger once it had closed. */
  at(ledger: number): StateReader {
    const get = (index: string): Entry | undefined =>
      this.#versions.get(index)?.findLast((version) => version.ledger <= ledger)?.entry
    const all = this.#byAccount
    return {
      get,
      *ofAccount(account) {
        for (const index of all.get(account) ?? []) {
          const entry = get(index)
          if (entry !== undefined) yield entry
        }
      },
    }
  }

  /** Adds what a ledger, newer than all before, changed. */
  write(ledger: number, changes: readonly Change[]): void {
    for (const { index, after } of changes) {
      const versions = this.#versions.get(index) ?? []
      versions.push({ ledger, entry: after })
      this.#versions.set(index, versions)
      if (after !== undefined) for (const account of accountsOf(after)) this.#name(account, index)
    }
  }

  #name(account: string, index: string): void {
    const known = this.#byAccount.get(account) ?? new Set()
    known.add(index)
    this.#byAccount.set(account, known)
  }
}
