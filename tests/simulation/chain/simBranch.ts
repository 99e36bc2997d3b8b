import { createHash } from 'node:crypto'
import type { LedgerBlock } from '../../adapter/ledgerChain/src/transaction.js'
import { SimState } from './simState.js'
import type { SimRecord } from './simTransaction.js'

/** A block with what it did. */
export interface SimEntry {
  readonly block: LedgerBlock
  /** In their order. */
  readonly records: readonly SimRecord[]
  /** After it. */
  readonly state: SimState
}

/** Blocks that follow each other, as the ledger or one of its nodes has them. Nothing in it changes. */
export class SimBranch {
  readonly entries: readonly SimEntry[]
  /** Of all blocks, oldest first. */
  readonly records: readonly SimRecord[]
  readonly #byId: ReadonlyMap<string, SimRecord>

  private constructor(
    entries: readonly SimEntry[],
    records: readonly SimRecord[],
    byId: ReadonlyMap<string, SimRecord>,
  ) {
    this.entries = entries
    this.records = records
    this.#byId = byId
  }

  /** A branch of its first block alone, which is empty. */
  static begin(network: string, time: number): SimBranch {
    const block = { height: 0, hash: blockHash(network), time }
    return SimBranch.of([{ block, records: [], state: new SimState() }])
  }

  static of(entries: readonly SimEntry[]): SimBranch {
    const records = entries.flatMap((entry) => entry.records)
    return new SimBranch(entries, records, new Map(records.map((record) => [record.id, record])))
  }

  get last(): SimEntry {
    const entry = this.entries.at(-1)
    if (entry === undefined) throw new Error('A branch has no block.')
    return entry
  }

  get head(): LedgerBlock {
    return this.last.block
  }

  get state(): SimState {
    return this.last.state
  }

  block(height: number): LedgerBlock | null {
    return this.entries[height]?.block ?? null
  }

  record(id: string): SimRecord | null {
    return this.#byId.get(id) ?? null
  }

  with(entry: SimEntry): SimBranch {
    const entries = [...this.entries, entry]
    return entry.records.length === 0 ? new SimBranch(entries, this.records, this.#byId) : SimBranch.of(entries)
  }

  /** As it was when the block of this height was its newest; all of it where it is no longer than that. */
  upTo(height: number): SimBranch {
    return height >= this.head.height ? this : SimBranch.of(this.entries.slice(0, Math.max(1, height + 1)))
  }
}

/** Of a block by what it follows and what it holds; `branch` tells those apart that are alike otherwise. */
export const blockHash = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join(':')).digest('hex')
