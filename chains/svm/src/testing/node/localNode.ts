import { base58 } from '@scure/base'
import { Bank, type Executed } from '../bank/bank.js'
import { preflight } from '../bank/simulation.js'
import { type Commitment, Slots } from '../bank/slots.js'
import { MAX_BYTES, type WireTransaction } from '../bank/wireTransaction.js'
import { invalidParams } from '../rpc/rpcFailure.js'

export interface LocalNodeOptions {
  readonly genesisHash: string
  readonly confirmedLag: number
  readonly finalizedLag: number
}

/** What happened, for subscriptions. */
export type NodeEvent =
  | { readonly kind: 'slot' }
  | { readonly kind: 'executed'; readonly executed: Executed }
  | { readonly kind: 'dropped' }

/** A local chain: takes transactions, makes blocks, drops them, and hides from each commitment what it may not see yet. */
export class LocalNode {
  readonly genesisHash: string
  readonly slots: Slots
  readonly bank: Bank
  /** No slot passes by time; transactions still make blocks. */
  paused = false
  readonly #listeners = new Set<(event: NodeEvent) => void>()
  readonly #queue: WireTransaction[] = []
  #held = false

  constructor({ genesisHash, confirmedLag, finalizedLag }: LocalNodeOptions) {
    this.genesisHash = genesisHash
    this.slots = new Slots({ genesis: genesisHash, confirmedLag, finalizedLag })
    this.bank = new Bank(this.slots)
    this.advance(1)
  }

  onEvent(listener: (event: NodeEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Closes so many slots. */
  advance(count: number): void {
    for (let made = 0; made < count; made++) this.slots.next()
    this.bank.settle()
    this.#tell({ kind: 'slot' })
  }

  /** @throws CallError */
  decode(encoded: string, encoding: string): WireTransaction {
    const raw = decodeBytes(encoded, encoding)
    if (raw.length > MAX_BYTES) {
      const sizes = `${raw.length} bytes (max: encoded/raw 1644/${MAX_BYTES})`
      throw invalidParams(`${encoding} encoded solana_transaction::versioned::VersionedTransaction too large: ${sizes}`)
    }
    try {
      return this.bank.decode(raw)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable'
      throw invalidParams(`failed to deserialize solana_transaction::versioned::VersionedTransaction: ${why}`)
    }
  }

  /** Takes a transaction: into the open block, or into the queue while held. @throws CallError as preflight does */
  submit(wire: WireTransaction, skipPreflight: boolean): string {
    if (!skipPreflight) preflight(this, wire)
    if (this.#held) {
      if (!this.#queue.some(({ signature }) => signature === wire.signature)) this.#queue.push(wire)
      return wire.signature
    }
    this.#include([wire])
    return wire.signature
  }

  hold(): void {
    this.#held = true
  }

  /** Everything that waited goes into one block, as far as it may still be. */
  release(): void {
    this.#held = false
    this.#include(this.#queue.splice(0))
  }

  /** The newest blocks leave with all they changed; what was in them may come again. */
  drop(depth: number): void {
    this.bank.forget(this.slots.drop(depth))
    this.#tell({ kind: 'dropped' })
    this.advance(1)
  }

  /** Shows a transaction that never ran. */
  invent(executed: Executed): void {
    this.bank.record(executed)
    this.advance(1)
  }

  /** The transaction, when a commitment shows it. */
  find(signature: string, commitment: Commitment): Executed | null {
    const executed = this.bank.executed(signature)
    if (executed === undefined || executed.slot < this.slots.cleanedUpTo) return null
    return executed.slot <= this.slots.newest(commitment) ? executed : null
  }

  #include(wires: readonly WireTransaction[]): void {
    let included = 0
    for (const wire of wires) {
      if (this.bank.executed(wire.signature) !== undefined) continue
      if (!this.slots.isUsable(wire.decoded.message.recentBlockhash)) continue
      const executed = this.bank.execute(wire)
      if ('refused' in executed) continue
      included += 1
      this.#tell({ kind: 'executed', executed })
    }
    if (included > 0) this.advance(1)
  }

  #tell(event: NodeEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

const decodeBytes = (text: string, encoding: string): Buffer => {
  try {
    return Buffer.from(encoding === 'base64' ? Buffer.from(text, 'base64') : base58.decode(text))
  } catch {
    throw invalidParams(`invalid ${encoding} encoding`)
  }
}
