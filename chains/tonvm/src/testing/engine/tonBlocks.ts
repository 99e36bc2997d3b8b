import { BlockStore } from '@causeway/core/testing'
import type { TonBlock, TonTx } from './tonTx.js'

/** List of the transactions that a message caused. */
export const messageList = (hash: string): string => `message:${hash}`

/** Blocks of the network, listed by account and by message. */
export class TonBlocks extends BlockStore<TonTx, TonBlock> {
  #fixed: number | null = null

  constructor() {
    super({
      idOf: ({ hash }) => hash,
      accountsOf: ({ account, messageHashes }) => [account, ...messageHashes.map(messageList)],
    })
  }

  override get now(): number {
    return this.#fixed ?? super.now
  }

  /** Stops the clock while a block is made, so that its transactions have its time. */
  atOneTime<T>(make: (now: number) => T): T {
    this.#fixed = Math.max(super.now, this.isEmpty ? 0 : this.head.time)
    try {
      return make(this.#fixed)
    } finally {
      this.#fixed = null
    }
  }

  get isEmpty(): boolean {
    return this.block(this.first) === undefined
  }
}
