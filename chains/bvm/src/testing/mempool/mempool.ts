import type { Spender } from '../chain/chain.js'
import { type Coin, type KnownTransaction, outpoint, outpointsOf } from '../chain/coins.js'

/** A transaction that waits for a block. */
export interface WaitingTransaction extends KnownTransaction {
  /** Height of the chain when it came. */
  readonly seenHeight: number
}

/** Transactions that wait, how they hang together, and which coins they take. */
export class Mempool {
  /** In the order they came, so that parents stand before children. */
  readonly entries = new Map<string, WaitingTransaction>()
  readonly #spenders = new Map<string, Spender>()

  add(entry: WaitingTransaction): void {
    this.entries.set(entry.txid, entry)
    for (const [vin, key] of outpointsOf(entry.tx).entries()) this.#spenders.set(key, { txid: entry.txid, vin })
  }

  /** Takes one out and leaves its descendants. */
  remove(txid: string): void {
    const entry = this.entries.get(txid)
    if (entry === undefined) return
    this.entries.delete(txid)
    for (const key of outpointsOf(entry.tx)) this.#spenders.delete(key)
  }

  /** Takes one out with all that spend from it, children last; returns them. */
  evict(txid: string): readonly WaitingTransaction[] {
    const gone = this.descendantsOf(txid)
    for (const entry of gone) this.remove(entry.txid)
    return gone
  }

  spenderOf(coin: string): Spender | undefined {
    return this.#spenders.get(coin)
  }

  /** A coin that a waiting transaction makes. */
  coinOf(key: string): Coin | undefined {
    const [txid = '', vout = ''] = key.split(':')
    const output = this.entries.get(txid)?.tx.outs[Number(vout)]
    return output && { txid, vout: Number(vout), ...output, height: null, coinbase: false }
  }

  parentsOf({ tx }: KnownTransaction): readonly WaitingTransaction[] {
    const ids = new Set(outpointsOf(tx).map((key) => key.split(':')[0] ?? ''))
    return [...ids].flatMap((id) => this.entries.get(id) ?? [])
  }

  childrenOf({ tx, txid }: KnownTransaction): readonly WaitingTransaction[] {
    const ids = new Set([...tx.outs.keys()].map((vout) => this.#spenders.get(outpoint(txid, vout))?.txid ?? ''))
    return [...ids].flatMap((id) => this.entries.get(id) ?? [])
  }

  /** All it needs to be mined first, without itself. */
  ancestorsOf(entry: KnownTransaction): readonly WaitingTransaction[] {
    return reachable(this.parentsOf(entry), (next) => this.parentsOf(next))
  }

  /** Itself and all that spend from it, parents first. */
  descendantsOf(txid: string): readonly WaitingTransaction[] {
    const entry = this.entries.get(txid)
    if (entry === undefined) return []
    const found = new Set(reachable([entry], (next) => this.childrenOf(next)).map((one) => one.txid))
    return [...this.entries.values()].filter((one) => found.has(one.txid))
  }
}

const reachable = (
  starts: readonly WaitingTransaction[],
  next: (entry: WaitingTransaction) => readonly WaitingTransaction[],
): readonly WaitingTransaction[] => {
  const found = new Map<string, WaitingTransaction>()
  const open = [...starts]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (found.has(entry.txid)) continue
    found.set(entry.txid, entry)
    open.push(...next(entry))
  }
  return [...found.values()]
}
