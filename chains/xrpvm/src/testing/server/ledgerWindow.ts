import type { HeightRange, LedgerView } from '@causeway/core/testing'
import type { ClosedLedger, LedgerTx } from '../engine/closedLedger.js'
import type { StateReader } from '../engine/state/view.js'
import type { XrpLedger } from '../engine/xrpLedger.js'
import type { Params } from './commands/params.js'
import { rpcError } from './commands/rpcError.js'

/** A ledger that was asked for. */
export interface AskedLedger {
  readonly number: number
  /** Null: the open one. */
  readonly closed: ClosedLedger | null
  readonly state: StateReader
}

/** The network's ledgers as one server shows them, in rippled's terms. */
export class LedgerWindow {
  constructor(
    readonly ledger: XrpLedger,
    readonly view: LedgerView<LedgerTx, ClosedLedger>,
  ) {}

  /** The newest that the server shows as validated. */
  get validated(): ClosedLedger {
    return this.view.head
  }

  completeLedgers(): string {
    const ranges = this.view.ranges()
    if (ranges.length === 0) return 'empty'
    return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
  }

  /** The range of account histories: without a gap, up to the newest ledger. @throws RpcError if there is none */
  searchable(): HeightRange {
    const last = this.view.ranges().at(-1)
    if (last === undefined || last[1] !== this.validated.height) throw rpcError('noNetwork')
    return last
  }

  isComplete([first, last]: HeightRange): boolean {
    return this.view.ranges().some((range) => range[0] <= first && last <= range[1])
  }

  /** The ledger that parameters name; the open one by default. @throws RpcError */
  asked({ ledger_index = 'current', ledger_hash }: Params): AskedLedger {
    if (ledger_hash !== undefined) return this.#closed(this.view.blockWith(ledger_hash))
    if (ledger_index === 'current') return this.#current()
    if (ledger_index === 'validated' || ledger_index === 'closed') return this.#closed(this.validated)
    const number = Number(ledger_index)
    if (!Number.isSafeInteger(number) || number < 0) {
      throw rpcError('invalidParams', { error_message: 'ledgerIndexMalformed' })
    }
    if (number === this.validated.height + 1 && this.view.isCurrent) return this.#current()
    return this.#closed(this.view.block(number))
  }

  #closed(closed: ClosedLedger | null): AskedLedger {
    if (closed === null) throw rpcError('lgrNotFound')
    return { number: closed.height, closed, state: this.ledger.state.at(closed.height) }
  }

  /** A server that is behind knows nothing of the open ledger. */
  #current(): AskedLedger {
    const { height } = this.validated
    const state = this.view.isCurrent ? this.ledger.open.state : this.ledger.state.at(height)
    return { number: height + 1, closed: null, state }
  }
}
