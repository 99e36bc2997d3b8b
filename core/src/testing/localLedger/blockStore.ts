import { createHash, randomBytes } from 'node:crypto'

/** A block of a local ledger; a chain may add fields. */
export interface LedgerBlock<T> {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly time: number
  readonly transactions: readonly T[]
}

/** A transaction and its block. */
export interface Placed<T, B extends LedgerBlock<T>> {
  readonly tx: T
  readonly block: B
}

/** Fields of a block that the chain gives. */
export type BlockDraft<T, B extends LedgerBlock<T>> = Omit<B, 'height' | 'hash' | 'parentHash' | 'time'>

export type BlockEvent<B> =
  | { readonly kind: 'added'; readonly block: B }
  | { readonly kind: 'dropped'; readonly from: number }

export interface BlockStoreOptions<T> {
  readonly idOf: (tx: T) => string
  /** Accounts whose history lists the transaction. */
  readonly accountsOf: (tx: T) => readonly string[]
  /** Height of the first block; 0 by default. */
  readonly first?: number
  /** Hash of texts; SHA-256 in hex by default. */
  readonly digest?: (texts: readonly string[]) => string
}

/** Blocks of a ledger, with the places of its transactions. */
export class BlockStore<T, B extends LedgerBlock<T> = LedgerBlock<T>> {
  readonly first: number
  readonly #blocks: B[] = []
  readonly #options: BlockStoreOptions<T>
  readonly #places = new Map<string, Placed<T, B>>()
  readonly #histories = new Map<string, Placed<T, B>[]>()
  readonly #listeners = new Set<(event: BlockEvent<B>) => void>()
  /** Differs between ledgers, and before and after a reorganisation. */
  #salt = randomBytes(16).toString('hex')
  #aheadMs = 0

  constructor(options: BlockStoreOptions<T>) {
    this.#options = options
    this.first = options.first ?? 0
  }

  /** @throws Error before the first block */
  get head(): B {
    const head = this.#blocks.at(-1)
    if (head === undefined) throw new Error('The ledger has no block')
    return head
  }

  /** The ledger's clock, in unix seconds. */
  get now(): number {
    return Math.floor((Date.now() + this.#aheadMs) / 1000)
  }

  /** Sets the clock forward or back. A block is never older than its parent. */
  wind(milliseconds: number): void {
    this.#aheadMs += milliseconds
  }

  block(height: number): B | undefined {
    return this.#blocks[height - this.first]
  }

  find(id: string): Placed<T, B> | undefined {
    return this.#places.get(id)
  }

  /** Transactions of an account, oldest first. */
  history(account: string): readonly Placed<T, B>[] {
    return this.#histories.get(account) ?? []
  }

  /** Adds a block at the time of the clock. */
  add(draft: BlockDraft<T, B>): B {
    const parent = this.#blocks.at(-1)
    const time = Math.max(this.now, parent?.time ?? 0)
    const parentHash = parent?.hash ?? '0'.repeat(64)
    const ids = draft.transactions.map(this.#options.idOf)
    const hash = (this.#options.digest ?? sha256)([this.#salt, parentHash, `${time}`, ...ids])
    // CAST: the draft has all other fields of a block.
    const block = { ...draft, time, parentHash, hash, height: this.first + this.#blocks.length } as unknown as B
    this.#blocks.push(block)
    for (const tx of block.transactions) this.#index({ tx, block })
    this.#emit({ kind: 'added', block })
    return block
  }

  /** Removes the newest blocks, at most all but the first. Returns them, oldest first. */
  drop(depth: number): readonly B[] {
    const dropped = this.#blocks.splice(Math.max(1, this.#blocks.length - depth))
    const from = this.first + this.#blocks.length
    for (const tx of dropped.flatMap(({ transactions }) => transactions)) {
      this.#places.delete(this.#options.idOf(tx))
      for (const account of this.#options.accountsOf(tx)) {
        const kept = this.history(account).filter(({ block }) => block.height < from)
        this.#histories.set(account, kept)
      }
    }
    this.#salt = randomBytes(16).toString('hex')
    this.#emit({ kind: 'dropped', from })
    return dropped
  }

  onEvent(listener: (event: BlockEvent<B>) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #index(placed: Placed<T, B>): void {
    this.#places.set(this.#options.idOf(placed.tx), placed)
    for (const account of new Set(this.#options.accountsOf(placed.tx))) {
      const history = this.#histories.get(account)
      if (history === undefined) this.#histories.set(account, [placed])
      else history.push(placed)
    }
  }

  #emit(event: BlockEvent<B>): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const sha256 = (texts: readonly string[]): string => createHash('sha256').update(texts.join(':')).digest('hex')
