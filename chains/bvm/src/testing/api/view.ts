import type { MinedBlock } from '../chain/chain.js'
import { type KnownTransaction, outpoint } from '../chain/coins.js'
import type { LocalNode } from '../node/localNode.js'

/** A transaction as an API shows it. */
export interface ViewedTransaction {
  readonly entry: KnownTransaction
  /** The block it is said to be in; null while it is shown as waiting. */
  readonly block: MinedBlock | null
  /** Its position there. */
  readonly at: number
}

/** What one API shows of the node: the truth, unless it was told to show something else. */
export class View {
  /** So many of the newest blocks are not shown; what they hold is shown as waiting. */
  lag = 0
  /** Blocks below this height are not shown, nor what they hold; their hashes are. */
  prunedBelow = 0
  /** Transactions that are not shown at all. */
  readonly hidden = new Set<string>()
  /** Confirmations that are claimed for a transaction, true or not. */
  readonly claimed = new Map<string, number>()

  constructor(readonly node: LocalNode) {}

  get height(): number {
    return Math.max(0, this.node.chain.height - this.lag)
  }

  get tip(): MinedBlock {
    return this.node.chain.blockAt(this.height)
  }

  /** A block of the chain shown. */
  blockAt(height: number): MinedBlock | undefined {
    return Number.isInteger(height) && height >= 0 && height <= this.height
      ? this.node.chain.blockAt(height)
      : undefined
  }

  /** A block shown, or one that left the chain. */
  blockOf(hash: string): MinedBlock | undefined {
    const block = this.node.chain.blockOf(hash)
    return block === undefined || (this.node.chain.includes(block) && block.height > this.height) ? undefined : block
  }

  /** 1 for the newest block shown; -1 for one that left the chain. */
  confirmationsOf(block: MinedBlock): number {
    return this.node.chain.includes(block) ? this.height - block.height + 1 : -1
  }

  find(txid: string): ViewedTransaction | undefined {
    if (this.hidden.has(txid)) return undefined
    const place = this.node.chain.placeOf(txid)
    const entry = place?.block.transactions[place.at] ?? this.node.mempool.entries.get(txid)
    if (entry === undefined) return undefined
    const claim = this.claimed.get(txid)
    if (claim !== undefined) return { entry, block: this.blockAt(this.height - claim + 1) ?? null, at: 0 }
    if (place !== undefined && place.block.height < this.prunedBelow) return undefined
    const shown = place !== undefined && place.block.height <= this.height
    if (shown) return { entry, block: place.block, at: place.at }
    return entry.tx.isCoinbase() ? undefined : { entry, block: null, at: 0 }
  }

  /** Who spends a coin, as far as that is shown. */
  spenderOf(txid: string, vout: number): { readonly viewed: ViewedTransaction; readonly vin: number } | undefined {
    const key = outpoint(txid, vout)
    const spender = this.node.chain.spenderOf(key) ?? this.node.mempool.spenderOf(key)
    const viewed = spender && this.find(spender.txid)
    return viewed && { viewed, vin: spender.vin }
  }

  /** What is shown as waiting, in the order it came. */
  waiting(): readonly ViewedTransaction[] {
    const late = Array.from({ length: this.node.chain.height - this.height }, (_, at) =>
      this.node.chain.blockAt(this.height + 1 + at),
    )
    const mined = late.flatMap(({ transactions }) => transactions)
    return [...mined, ...this.node.mempool.entries.values()]
      .flatMap(({ txid }) => this.find(txid) ?? [])
      .filter(({ block }) => block === null)
  }

  /** What is shown as mined of a script, newest first. */
  minedOf(script: Uint8Array): readonly ViewedTransaction[] {
    return this.#allOf(script).filter(({ block }) => block !== null)
  }

  /** What is shown as waiting of a script, newest first. */
  waitingOf(script: Uint8Array): readonly ViewedTransaction[] {
    return this.#allOf(script).filter(({ block }) => block === null)
  }

  #allOf(script: Uint8Array): readonly ViewedTransaction[] {
    const waiting = [...this.node.mempool.entries.values()].filter(({ tx, spent }) =>
      [...tx.outs, ...spent].some((part) => sameBytes(part.script, script)),
    )
    const ids = [...this.node.chain.historyOf(script), ...waiting.map(({ txid }) => txid)]
    return ids.flatMap((txid) => this.find(txid) ?? []).reverse()
  }
}

/** Whether two byte strings are equal. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
