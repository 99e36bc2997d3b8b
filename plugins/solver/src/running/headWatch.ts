import type { BlockRef } from '@causeway/core/chain'

const KEPT_HEADS = 128

/** Remembers recent heads; one that does not grow on the highest seen means that blocks were replaced. */
export class HeadWatch {
  readonly #hashes = new Map<bigint, string>()
  #tip: BlockRef | null = null
  #reorg = false

  see(head: BlockRef): void {
    const known = this.#hashes.get(head.height)
    if (known !== undefined && known !== head.hash) this.#reorg = true
    if (this.#tip !== null && head.height < this.#tip.height) this.#reorg = true
    this.#hashes.set(head.height, head.hash)
    this.#hashes.delete(head.height - BigInt(KEPT_HEADS))
    this.#tip = head
  }

  tip(): BlockRef {
    if (this.#tip === null) throw new Error('No head was seen yet.')
    return this.#tip
  }

  takeReorg(): boolean {
    const reorg = this.#reorg
    this.#reorg = false
    return reorg
  }
}
