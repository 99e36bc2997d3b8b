import { createHash } from 'node:crypto'
import { BlockStore, type LedgerBlock } from '@causeway/core/testing'
import type { Action } from './signing/actions.js'

/** A change of a ledger update, by its type. */
export type Delta = Readonly<Record<string, string | number | boolean | null>> & { readonly type: string }

/** An entry of `userNonFundingLedgerUpdates` of one account. */
export interface Update {
  readonly account: string
  readonly delta: Delta
}

/** An action in a block, or a change that a control made. */
export interface ExchangeTx {
  readonly hash: string
  /** Account that acted. */
  readonly user: string
  readonly action: Action
  /** Unix milliseconds. */
  readonly time: number
  readonly error: string | null
  readonly updates: readonly Update[]
}

export interface ExchangeBlock extends LedgerBlock<ExchangeTx> {
  /** Unix milliseconds. */
  readonly timeMs: number
}

/** Blocks of the exchange. Each has a time of its own in milliseconds. */
export class ExchangeBlocks extends BlockStore<ExchangeTx, ExchangeBlock> {
  #aheadMs = 0

  constructor() {
    super({
      idOf: ({ hash }) => hash,
      accountsOf: ({ user, updates }) => [user, ...updates.map(({ account }) => account)],
    })
    this.add({ transactions: [], timeMs: this.nowMs })
  }

  /** The clock of the exchange. */
  get nowMs(): number {
    return Date.now() + this.#aheadMs
  }

  /** Time of the next block. */
  get nextMs(): number {
    return Math.max(this.nowMs, this.head.timeMs + 1)
  }

  override wind(milliseconds: number): void {
    super.wind(milliseconds)
    this.#aheadMs += milliseconds
  }

  /** Hash of an action in the next block. It cannot be derived from the action. */
  hashAt(position: number): string {
    const { hash, height } = this.head
    return `0x${createHash('sha256').update(`${hash}:${height}:${position}`).digest('hex')}`
  }
}
