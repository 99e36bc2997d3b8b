import { createHash } from 'node:crypto'
import { BlockStore } from '@causeway/core/testing'
import type { TronBlock, TronTx } from './tronTx.js'

const NO_PARENT = '0'.repeat(64)

/**
 * Block ids begin with the height, 16 hex digits. The last four bytes of the first one are the chain id, which contracts and wallets read
 * there.
 */
const digestOf =
  (chainId: number) =>
  (texts: readonly string[]): string => {
    const hash = createHash('sha256').update(texts.join(':')).digest('hex')
    const parent = texts[1] ?? NO_PARENT
    if (parent === NO_PARENT) return `${'0'.repeat(16)}${hash.slice(16, 56)}${chainId.toString(16).padStart(8, '0')}`
    const height = BigInt(`0x${parent.slice(0, 16)}`) + 1n
    return `${height.toString(16).padStart(16, '0')}${hash.slice(16)}`
  }

export class TronBlocks extends BlockStore<TronTx, TronBlock> {
  #time: number | null = null

  constructor(chainId: number) {
    super({ idOf: ({ id }) => id, accountsOf: () => [], digest: digestOf(chainId) })
  }

  override get now(): number {
    return this.#time ?? super.now
  }

  /** Adds a block of a time, in unix seconds, at which its transactions were executed. */
  addAt(time: number, transactions: readonly TronTx[]): TronBlock {
    this.#time = time
    try {
      return this.add({ transactions })
    } finally {
      this.#time = null
    }
  }
}
