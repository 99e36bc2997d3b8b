import { BlockStore, type LedgerBlock } from '@causeway/core/testing'
import type { SignedTx } from './readTransaction.js'

/** Statuses of a transaction, by the exchange's numbers. */
export const STATUS = { pending: 0, queued: 1, committed: 2, executed: 3, failed: 4, rejected: 5 } as const

export type FailedStatus = typeof STATUS.failed | typeof STATUS.rejected

/** An accepted transaction. */
export interface AcceptedTx extends SignedTx {
  /** Rises by one with each. */
  readonly sequence: number
  /** Unix milliseconds. */
  readonly acceptedAt: number
  /** Newest block when it was accepted. */
  readonly acceptedAfter: number
  readonly owner: string
}

/** A transaction in a block. */
export interface LedgerTx extends AcceptedTx {
  /** Absent: it was executed. */
  readonly failure?: FailedStatus
}

export type Block = LedgerBlock<LedgerTx>

/** Name of the history with all transactions. */
export const EVERY = 'all'

/** Blocks of the exchange, and its clock in milliseconds. */
export class ExchangeBlocks extends BlockStore<LedgerTx> {
  #aheadMs = 0

  constructor() {
    super({
      idOf: ({ hash }) => hash,
      accountsOf: ({ account, transfer }) => [EVERY, account, ...(transfer === undefined ? [] : [transfer.to])],
      first: 1,
    })
  }

  override wind(milliseconds: number): void {
    super.wind(milliseconds)
    this.#aheadMs += milliseconds
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs
  }
}
