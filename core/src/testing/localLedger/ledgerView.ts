import type { BlockStore, LedgerBlock, Placed } from './blockStore.js'

/** First and last height, both included. */
export type HeightRange = readonly [first: number, last: number]

/** How one node shows the ledger. Fields that are left out stay as they are. */
export interface Shown {
  /** Blocks that the node is behind. */
  readonly lag?: number
  /** Height of the newest block that the node will ever show; null: no limit. */
  readonly frozenAt?: number | null
  /** Shows blocks with other hashes, as on a branch of its own. */
  readonly forked?: boolean
  /** Drops all blocks so far except the newest ones (a number), or except ranges such as `100-200,205-300`; 0 and null restore them. */
  readonly kept?: number | string | null
  /** Maximum number of items in a page; null: the default of each call. */
  readonly mostListed?: number | null
}

/** The ledger as one node shows it. */
export class LedgerView<T, B extends LedgerBlock<T> = LedgerBlock<T>> {
  readonly blocks: BlockStore<T, B>
  readonly #listeners = new Set<(block: B) => void>()
  #shown: Required<Omit<Shown, 'kept'>> = { lag: 0, frozenAt: null, forked: false, mostListed: null }
  /** Blocks up to this height are known only if a range has them. */
  #cutUpTo: number
  #kept: readonly HeightRange[] = []
  #announced: number

  constructor(blocks: BlockStore<T, B>) {
    this.blocks = blocks
    this.#cutUpTo = blocks.first - 1
    this.#announced = blocks.head.height
    blocks.onEvent((event) => {
      if (event.kind === 'dropped') this.#announced = Math.min(this.#announced, event.from - 1)
      else this.#announce()
    })
  }

  /** Whether the node shows everything that the ledger has. */
  get isCurrent(): boolean {
    return this.head.height === this.blocks.head.height
  }

  /** The newest block that the node shows. */
  get head(): B {
    const { lag, frozenAt } = this.#shown
    const height = Math.min(this.blocks.head.height - lag, frozenAt ?? Number.POSITIVE_INFINITY)
    return this.#show(this.blocks.block(Math.max(height, this.blocks.first)) ?? this.blocks.head)
  }

  /** The height from which on the node knows every block. */
  get since(): number {
    return this.ranges().at(-1)?.[0] ?? this.head.height
  }

  show({ kept, ...shown }: Shown): void {
    this.#shown = { ...this.#shown, ...shown }
    if (kept !== undefined) this.#keep(kept)
    this.#announce()
  }

  knows(height: number): boolean {
    return isWithin(this.ranges(), height)
  }

  /** Known heights, as ranges without a gap, oldest first. */
  ranges(): readonly HeightRange[] {
    const last = this.head.height
    const ranges: HeightRange[] = [...this.#kept, [this.#cutUpTo + 1, last]]
    return ranges
      .map(([from, to]): HeightRange => [from, Math.min(to, last)])
      .filter(([from, to]) => from <= to)
      .reduce<HeightRange[]>(joinRange, [])
  }

  block(height: number): B | null {
    return this.knows(height) ? this.header(height) : null
  }

  /** A block without regard to what the node dropped, as nodes that keep headers show it. */
  header(height: number): B | null {
    const block = height <= this.head.height ? this.blocks.block(height) : undefined
    return block === undefined ? null : this.#show(block)
  }

  blockWith(hash: unknown): B | null {
    for (let height = this.head.height; height >= this.blocks.first; height -= 1) {
      const block = this.block(height)
      if (block?.hash === hash) return block
    }
    return null
  }

  /** A transaction of a block that the node knows. */
  find(id: string): Placed<T, B> | null {
    const found = this.blocks.find(id)
    return found !== undefined && this.knows(found.block.height) ? this.#place(found) : null
  }

  /** Transactions of an account in a range of heights, oldest first. */
  history(account: string, first = this.since, last = this.head.height): readonly Placed<T, B>[] {
    const ranges = this.ranges()
    return this.blocks
      .history(account)
      .filter(({ block: { height } }) => first <= height && height <= last && isWithin(ranges, height))
      .map((placed) => this.#place(placed))
  }

  /** Size of a page: as asked, at most `most`, and at most the maximum of this node. */
  limit(asked: number | undefined, most: number): number {
    const limit = Math.min(most, this.#shown.mostListed ?? most)
    return Math.min(Math.max(asked ?? limit, 1), limit)
  }

  /** Calls the listener with each block, in order, as soon as the node shows it. Returns a function that ends this. */
  onBlock(listener: (block: B) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #keep(kept: number | string | null): void {
    const [newest, first] = [this.blocks.head.height, this.blocks.first]
    const isCut = kept !== null && kept !== 0
    this.#cutUpTo = isCut ? newest : first - 1
    this.#kept = []
    if (typeof kept === 'string') this.#kept = kept.split(',').map(parseRange)
    else if (isCut) this.#kept = [[Math.max(first, this.head.height - kept + 1), newest]]
  }

  #announce(): void {
    while (this.#announced < this.head.height) {
      this.#announced += 1
      const block = this.blocks.block(this.#announced)
      if (block !== undefined) for (const listener of this.#listeners) listener(this.#show(block))
    }
  }

  #place({ tx, block }: Placed<T, B>): Placed<T, B> {
    return { tx, block: this.#show(block) }
  }

  #show(block: B): B {
    if (!this.#shown.forked) return block
    return { ...block, hash: otherHash(block.hash), parentHash: otherHash(block.parentHash) }
  }
}

const isWithin = (ranges: readonly HeightRange[], height: number): boolean =>
  ranges.some(([first, last]) => first <= height && height <= last)

/** Another text of the same form, in hex, base58 and base64 alike. */
const otherHash = (hash: string): string => hash.replace(/.$/, (last) => (last === '1' ? '2' : '1'))

const parseRange = (text: string): HeightRange => {
  const [first = 0, last = first] = text.split('-').map(Number)
  return [first, last]
}

const joinRange = (joined: HeightRange[], range: HeightRange): HeightRange[] => {
  const before = joined.at(-1)
  if (before === undefined || before[1] + 1 < range[0]) return [...joined, range]
  return [...joined.slice(0, -1), [before[0], Math.max(before[1], range[1])]]
}
