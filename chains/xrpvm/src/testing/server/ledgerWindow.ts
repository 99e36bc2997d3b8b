import type { ClosedLedger, LedgerTx } from '../engine/closedLedger.js'
import type { StateReader } from '../engine/state/view.js'
import type { XrpLedger } from '../engine/xrpLedger.js'
import type { Params } from './commands/params.js'
import { rpcError } from './commands/rpcError.js'

/** First and last ledger, both within. */
export type LedgerRange = readonly [first: number, last: number]

/** A ledger that was asked for. */
export interface AskedLedger {
  readonly number: number
  /** Null: the one that is being made. */
  readonly closed: ClosedLedger | null
  readonly state: StateReader
}

/** What a server knows of the network's ledgers: it may be behind, and lack history. */
export class LedgerWindow {
  readonly ledger: XrpLedger
  #lag = 0
  /** Up to which ledger only the kept ones are known. */
  #cutUpTo = 0
  #kept: readonly LedgerRange[] = []

  constructor(ledger: XrpLedger) {
    this.ledger = ledger
  }

  get lag(): number {
    return this.#lag
  }

  set lag(ledgers: number) {
    this.#lag = ledgers
  }

  /** The newest that it shows as validated. */
  get validated(): ClosedLedger {
    return this.ledger.closed(Math.max(this.ledger.tip.number - this.#lag, 1))
  }

  /** Loses all ledgers so far but those in the ranges, as `complete_ledgers` spells them; null: it has them all. */
  cut(ranges: string | null): void {
    this.#cutUpTo = ranges === null ? 0 : this.ledger.tip.number
    this.#kept = ranges === null ? [] : ranges.split(',').map(parseRange)
  }

  knows(number: number): boolean {
    if (number < 1 || number > this.validated.number) return false
    return number > this.#cutUpTo || this.#kept.some(([first, last]) => first <= number && number <= last)
  }

  /** Stretches without a gap, oldest first. */
  ranges(): readonly LedgerRange[] {
    const tip = this.validated.number
    const stretches: LedgerRange[] = [...this.#kept.map(([first, last]): LedgerRange => [first, Math.min(last, tip)])]
    if (this.#cutUpTo < tip) stretches.push([this.#cutUpTo + 1, tip])
    return stretches.filter(([first, last]) => first <= last).reduce<LedgerRange[]>(joinRange, [])
  }

  completeLedgers(): string {
    const ranges = this.ranges()
    if (ranges.length === 0) return 'empty'
    return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
  }

  /** Histories of accounts are answered from here: the stretch without a gap that ends with the newest. @throws RpcError when there is none */
  searchable(): LedgerRange {
    const last = this.ranges().at(-1)
    if (last === undefined || last[1] !== this.validated.number) throw rpcError('noNetwork')
    return last
  }

  isComplete([first, last]: LedgerRange): boolean {
    return this.ranges().some((range) => range[0] <= first && last <= range[1])
  }

  transaction(hash: string): LedgerTx | undefined {
    const found = this.ledger.transaction(hash)
    return found !== undefined && this.knows(found.ledger) ? found : undefined
  }

  /** The ledger that parameters name; the open one where they name none. @throws RpcError */
  asked({ ledger_index, ledger_hash }: Params, unnamed = 'current'): AskedLedger {
    if (ledger_hash !== undefined) return this.#closedWith(ledger_hash)
    const named = ledger_index ?? unnamed
    if (named === 'current') return this.#current()
    const shown = this.validated.number
    if (named === 'validated' || named === 'closed') return this.#closedAt(shown)
    const number = Number(named)
    if (!Number.isSafeInteger(number) || number < 0) {
      throw rpcError('invalidParams', { error_message: 'ledgerIndexMalformed' })
    }
    if (number === shown + 1 && this.#lag === 0) return this.#current()
    if (!this.knows(number)) throw rpcError('lgrNotFound')
    return this.#closedAt(number)
  }

  #closedAt(number: number): AskedLedger {
    return { number, closed: this.ledger.closed(number), state: this.ledger.state.at(number) }
  }

  #closedWith(hash: unknown): AskedLedger {
    const found = this.ledger.ledgers.find((ledger) => ledger.hash === hash)
    if (found === undefined || !this.knows(found.number)) throw rpcError('lgrNotFound')
    return this.#closedAt(found.number)
  }

  /** A server that is behind knows nothing of what is being made. */
  #current(): AskedLedger {
    const { number } = this.validated
    const state = this.#lag === 0 ? this.ledger.open.state : this.ledger.state.at(number)
    return { number: number + 1, closed: null, state }
  }
}

const parseRange = (text: string): LedgerRange => {
  const [first = 0, last = first] = text.split('-').map(Number)
  return [first, last]
}

const joinRange = (joined: LedgerRange[], range: LedgerRange): LedgerRange[] => {
  const before = joined.at(-1)
  if (before === undefined || before[1] + 1 < range[0]) return [...joined, range]
  return [...joined.slice(0, -1), [before[0], Math.max(before[1], range[1])]]
}
