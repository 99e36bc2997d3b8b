import type { AccountSumsAt } from '../../chain/address/keptSums.js'
import { ServiceError } from '../../errors/serviceError.js'
import { larger, smaller } from '../../money/compare.js'
import type { LedgerPage, LedgerSource } from '../ledger/ledgerSource.js'

/** Heights read in one range, whose moves count when it is whole. */
const RANGE = 50_000n
/** Kept sums that are so far above a node's head are of a height that a node made up (faults.md F131). */
const MADE_UP = 1_000n

/** Money that came to a part of an account, or left it: an amount below zero. Smallest unit. */
export interface AccountMove {
  /** Which part of the account: a tag, a memo. */
  readonly part: string
  readonly currency: string
  readonly amount: bigint
}

export interface SumsDeps<Node, Transaction> {
  readonly source: Pick<LedgerSource<Node, Transaction>, 'head' | 'page'>
  readonly account: string
  /** How many heights before the head the first reading begins. */
  readonly history: bigint
  readonly range?: bigint
  /** What a transaction moved, in the order in which it did. */
  movesOf(transaction: Transaction): readonly AccountMove[]
  /** Whether the account came about by it, so that nothing can lie before. */
  isFirst(transaction: Transaction): boolean
  /** Whether a node shows the account: one that is not there has no history that a node could lack. */
  isThere(node: Node): Promise<boolean>
}

/** What lies in each part of the account, as one node tells its history up to a height. */
export interface SumsView {
  readonly height: bigint
  /** Unix seconds of the block at `height`. */
  readonly time: bigint
  sumOf(part: string, currency: string): bigint
  /** Of all parts together. */
  totalOf(currency: string): bigint
}

/**
 * What lies in the parts of an account by its history at one node: sums in memory that only ever go on, from a height on that is far
 * enough back. What left a part is never more than was seen to come: a history that begins late shows less than lies there, not more.
 */
export class NodeSums<Node, Transaction> implements SumsView {
  readonly #node: Node
  readonly #deps: SumsDeps<Node, Transaction>
  readonly #kept: AccountSumsAt | null
  readonly #sums = new Map<string, bigint>()
  /** Keys of sums that changed above `#changedAfter`; null: all are to be kept. */
  readonly #changed = new Set<string>()
  #changedAfter: bigint | null = null
  #since = 0n
  #height: bigint | null = null
  #time = 0n
  /** Of the newest transaction of the account. */
  #moved = 0n
  /** The node lacks what came before, so that the first transaction must be the one by which the account came about. */
  #isUnproven = false
  #reading: Promise<void> | null = null

  /** @param kept - what reading goes on from; null: from `history` heights before the head */
  constructor(node: Node, deps: SumsDeps<Node, Transaction>, kept: AccountSumsAt | null = null) {
    this.#node = node
    this.#deps = deps
    this.#kept = kept
  }

  get height(): bigint {
    return this.#height ?? -1n
  }

  get time(): bigint {
    return this.#time
  }

  get moved(): bigint {
    return this.#moved
  }

  sumOf(part: string, currency: string): bigint {
    return this.#sums.get(keyOf(part, currency)) ?? 0n
  }

  totalOf(currency: string): bigint {
    let total = 0n
    for (const [key, sum] of this.#sums) if (key.endsWith(` ${currency}`)) total += sum
    return total
  }

  /**
   * Reads on up to the node's head, which must be `least` or above.
   * @throws ServiceError when the node is behind, does not answer, or lacks a part of the history
   */
  async read(least: bigint): Promise<NodeSums<Node, Transaction>> {
    // One reading serves all who wait for it; who needs more than it gave reads on.
    await (this.#reading ?? this.#begin(least))
    if (this.height < least) await (this.#reading ?? this.#begin(least))
    if (this.height < least) throw behind()
    return this
  }

  /** Whether another node shows the same of each part, at the same height. */
  isLike(other: NodeSums<Node, Transaction>): boolean {
    if (this.height !== other.height || this.#sums.size !== other.#sums.size) return false
    return [...this.#sums].every(([key, sum]) => other.#sums.get(key) === sum)
  }

  /** Changes since the last save, and its height; null: everything. */
  changes(): { readonly changed: AccountSumsAt; readonly after: bigint | null } {
    const keys = this.#changedAfter === null ? this.#sums.keys() : this.#changed
    const sums = [...keys].map((key) => ({ ...partOf(key), amount: this.#sums.get(key) ?? 0n }))
    const place = { since: this.#since, height: this.height, moved: this.#moved }
    return { changed: { ...place, sums }, after: this.#changedAfter }
  }

  /** The sums of a height are kept, with the changes that came meanwhile. */
  wasKept(height: bigint): void {
    if (this.height !== height) return
    this.#changed.clear()
    this.#changedAfter = height
  }

  #begin(least: bigint): Promise<void> {
    this.#reading = this.#readOn(least).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOn(least: bigint): Promise<void> {
    const { source, range = RANGE } = this.#deps
    const head = await source.head(this.#node)
    if (head.height < least && this.height < least) throw behind()
    this.#height ??= this.#beginAt(head.height)
    while (this.#height < head.height) {
      const upTo: bigint = smaller(head.height, this.#height + range)
      const { moves, isEmpty } = await this.#range(this.#height, upTo)
      for (const move of moves) this.#apply(move)
      if (!isEmpty) this.#moved = upTo
      this.#height = upTo
    }
    if (this.#height === head.height) this.#time = BigInt(head.time)
    if (this.#isUnproven && (await this.#deps.isThere(this.#node))) this.#refuse()
  }

  /** Kept sums count where they reach as far back as is configured now. */
  #beginAt(head: bigint): bigint {
    const since = larger(head - this.#deps.history, 0n)
    const kept = this.#kept
    if (kept === null || kept.since > since || kept.height > head + MADE_UP) {
      this.#since = since
      return since
    }
    for (const { part, currency, amount } of kept.sums) this.#sums.set(keyOf(part, currency), amount)
    this.#since = kept.since
    this.#moved = kept.moved
    this.#changedAfter = kept.height
    return kept.height
  }

  /** A whole range: where the node forgets its mark meanwhile, it is read again from its beginning. */
  async #range(
    after: bigint,
    upTo: bigint,
  ): Promise<{ readonly moves: readonly AccountMove[]; readonly isEmpty: boolean }> {
    const { source, account, movesOf } = this.#deps
    const moves: AccountMove[] = []
    let isEmpty = true
    let mark: LedgerPage<Transaction>['more'] = null
    do {
      const page = await source.page(this.#node, { account, after, upTo, mark })
      this.#requireWhole(page, after)
      moves.push(...page.transactions.flatMap((transaction) => movesOf(transaction)))
      isEmpty &&= page.transactions.length === 0
      mark = page.more
    } while (mark !== null)
    return { moves, isEmpty }
  }

  #requireWhole({ transactions, since = 0n }: LedgerPage<Transaction>, after: bigint): void {
    if (since > after + 1n) {
      if (this.#moved > 0n) this.#refuse()
      this.#isUnproven = true
    }
    const [first] = transactions
    if (!this.#isUnproven || first === undefined) return
    if (!this.#deps.isFirst(first)) this.#refuse()
    this.#isUnproven = false
  }

  /** The next reading begins anew, as far back as it takes then. */
  #refuse(): never {
    this.#height = null
    this.#moved = 0n
    this.#isUnproven = false
    this.#sums.clear()
    this.#changed.clear()
    this.#changedAfter = null
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      'A node of this chain lacks a part of the history of the account of deposit addresses. Name one that has it.',
    )
  }

  #apply({ part, currency, amount }: AccountMove): void {
    const key = keyOf(part, currency)
    const sum = larger((this.#sums.get(key) ?? 0n) + amount, 0n)
    if (sum === 0n) this.#sums.delete(key)
    else this.#sums.set(key, sum)
    this.#changed.add(key)
  }
}

const keyOf = (part: string, currency: string): string => `${part} ${currency}`

const partOf = (key: string) => {
  const at = key.indexOf(' ')
  return { part: key.slice(0, at), currency: key.slice(at + 1) }
}

const behind = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain is behind the last sweep of a deposit address.')
