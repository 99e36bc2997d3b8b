import type { BlockRef, ChainAdapter } from '@causeway/core/chain'
import { witnessedHeight } from '@causeway/core/money-path'

const KEPT_HEADS = 128

/** Remembers recent heads; one that does not grow on the highest seen means that blocks were replaced. */
export class HeadWatch {
  readonly #adapter: Pick<ChainAdapter, 'endpoints'>
  readonly #hashes = new Map<bigint, string>()
  #latest: BlockRef | null = null
  #reorg = false

  constructor(adapter: Pick<ChainAdapter, 'endpoints'>) {
    this.#adapter = adapter
  }

  see(head: BlockRef): void {
    const known = this.#hashes.get(head.height)
    if (known !== undefined && known !== head.hash) this.#reorg = true
    if (this.#latest !== null && head.height < this.#latest.height) this.#reorg = true
    this.#hashes.set(head.height, head.hash)
    this.#hashes.delete(head.height - BigInt(KEPT_HEADS))
    this.#latest = head
  }

  /** The head as it was seen last, by one node. */
  get latest(): BlockRef {
    if (this.#latest === null) throw new Error('No head was seen yet.')
    return this.#latest
  }

  /** Height that is not one node's word alone, where there are several: depth is counted from it. */
  get height(): bigint {
    return witnessedHeight(this.#adapter, this.latest.height)
  }

  takeReorg(): boolean {
    const reorg = this.#reorg
    this.#reorg = false
    return reorg
  }
}
