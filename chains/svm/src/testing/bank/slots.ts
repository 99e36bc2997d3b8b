import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

/** A produced block; a slot without one was skipped or left with a fork. */
export interface Slot {
  readonly number: number
  readonly blockHeight: number
  readonly blockhash: string
  readonly hashBytes: Uint8Array
  readonly previous: string
  readonly parent: number
  /** Unix seconds. */
  readonly time: number
  readonly signatures: string[]
}

/** Blocks whose hash a transaction may name, as on a real cluster. */
export const BLOCKHASH_LIFE = 150

/** Hashes are looked up for no older blocks than these. */
const HASHES_KEPT = 512

/** Empty blocks kept; what is older goes, so that a chain may run for days. */
const SLOTS_KEPT = 50_000

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** The blocks of a local chain, and which of them each commitment shows. */
export class Slots {
  readonly #genesis: string
  readonly #lags: Readonly<Record<Commitment, number>>
  readonly #slots = new Map<number, Slot>()
  readonly #byHash = new Map<string, Slot>()
  #open: Slot
  #salt = 0
  #forgotten = 0
  /** Answers as if the node were so many slots behind. */
  lag = 0
  /** Answers as a node that has cleaned up all slots below this one, with their transactions. */
  cleanedUpTo = 0

  constructor(options: { readonly genesis: string; readonly confirmedLag: number; readonly finalizedLag: number }) {
    this.#genesis = options.genesis
    this.#lags = { processed: 0, confirmed: options.confirmedLag, finalized: options.finalizedLag }
    this.#open = this.#make(1, 1, 0, options.genesis)
    this.#keep(this.#open)
  }

  /** The one that transactions go into now. */
  get open(): Slot {
    return this.#open
  }

  /** Closes the open slot and opens the next. */
  next(): Slot {
    const { number, blockHeight, blockhash } = this.#open
    this.#open = this.#make(number + 1, blockHeight + 1, number, blockhash)
    this.#keep(this.#open)
    return this.#open
  }

  /** Takes the newest `depth` closed slots and the open one away; the next block grows on the one before. Newest first. */
  drop(depth: number): readonly Slot[] {
    const lowest = Math.max(this.newest('finalized') + 1, this.#open.number - depth)
    const gone = [...this.#slots.values()].filter(({ number }) => number >= lowest).reverse()
    for (const slot of gone) {
      this.#slots.delete(slot.number)
      this.#byHash.delete(slot.blockhash)
    }
    const after = this.#open.number + 1
    const parent = [...this.#slots.values()].at(-1)
    this.#salt += 1
    const { blockHeight = 0, number = 0, blockhash = this.#genesis } = parent ?? {}
    this.#open = this.#make(after, blockHeight + 1, number, blockhash)
    this.#keep(this.#open)
    return gone
  }

  /** Newest slot that a commitment shows. The open one counts for `processed` only. */
  newest(commitment: Commitment): number {
    const newest = this.#open.number - (commitment === 'processed' ? 0 : 1) - this.#lags[commitment] - this.lag
    return Math.max(0, newest)
  }

  /** Newest block at or below what a commitment shows. */
  newestBlock(commitment: Commitment): Slot {
    for (let number = this.newest(commitment); number > 0; number--) {
      const slot = this.#slots.get(number)
      if (slot !== undefined) return slot
    }
    return this.#make(0, 0, 0, this.#genesis)
  }

  at(number: number): Slot | undefined {
    return number < this.cleanedUpTo ? undefined : this.#slots.get(number)
  }

  /** Below it, blocks without transactions are not known any more, or no blocks at all (`cleanedUpTo`). */
  get forgottenBelow(): number {
    return Math.max(this.#forgotten, this.cleanedUpTo)
  }

  byHash(blockhash: string): Slot | undefined {
    return this.#byHash.get(blockhash)
  }

  /** Whether a transaction that names this hash may still go into the open slot. */
  isUsable(blockhash: string): boolean {
    const slot = this.#byHash.get(blockhash)
    return slot !== undefined && this.#open.blockHeight - slot.blockHeight <= BLOCKHASH_LIFE
  }

  /** Best commitment that shows a slot. */
  commitmentOf(number: number): Commitment | null {
    if (number <= this.newest('finalized')) return 'finalized'
    if (number <= this.newest('confirmed')) return 'confirmed'
    return number <= this.newest('processed') ? 'processed' : null
  }

  /** Newest blocks first. */
  recent(count: number): readonly Slot[] {
    const found: Slot[] = []
    for (let number = this.#open.number - 1; number > 0 && found.length < count; number--) {
      const slot = this.#slots.get(number)
      if (slot !== undefined) found.push(slot)
    }
    return found
  }

  #make(number: number, blockHeight: number, parent: number, previous: string): Slot {
    const hashBytes = createHash('sha256').update(`${this.#genesis} ${number} ${this.#salt}`).digest()
    const time = Math.floor(Date.now() / 1000)
    return {
      number,
      blockHeight,
      blockhash: base58.encode(hashBytes),
      hashBytes,
      previous,
      parent,
      time,
      signatures: [],
    }
  }

  #keep(slot: Slot): void {
    this.#slots.set(slot.number, slot)
    this.#byHash.set(slot.blockhash, slot)
    this.#forget(slot.number)
  }

  #forget(newest: number): void {
    const unhashed = this.#slots.get(newest - HASHES_KEPT)
    if (unhashed !== undefined) this.#byHash.delete(unhashed.blockhash)
    const old = this.#slots.get(newest - SLOTS_KEPT)
    if (newest <= SLOTS_KEPT) return
    this.#forgotten = newest - SLOTS_KEPT + 1
    if (old !== undefined && old.signatures.length === 0) this.#slots.delete(old.number)
  }
}
