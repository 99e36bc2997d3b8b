import { createHash } from 'node:crypto'
import { BlockStore } from '@causeway/core/testing'
import type { LedgerTx, RecordBlock } from './ledgerTx.js'
import { timeText } from './values.js'

export const EVERY = 'all'

const MILLISECOND = 1_000_000n

/** Record files of the network, and its clock in nanoseconds. */
export class NetworkBlocks extends BlockStore<LedgerTx, RecordBlock> {
  #aheadMs = 0

  constructor() {
    super({
      idOf: ({ consensus }) => timeText(consensus),
      accountsOf: ({ id, transfers }) => [EVERY, idList(id), ...transfers.map(({ account }) => account)],
      digest: (texts) => createHash('sha384').update(texts.join(':')).digest('hex'),
    })
  }

  override wind(milliseconds: number): void {
    super.wind(milliseconds)
    this.#aheadMs += milliseconds
  }

  get nanos(): bigint {
    return BigInt(Date.now() + this.#aheadMs) * MILLISECOND
  }
}

/** List of the transactions with an id: duplicates, children and the scheduled one too. */
export const idList = (id: string): string => `id:${id}`
