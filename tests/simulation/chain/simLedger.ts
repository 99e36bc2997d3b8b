import { addressOf, NATIVE } from '../../adapter/ledgerChain/src/address.js'
import type { LedgerBlock } from '../../adapter/ledgerChain/src/transaction.js'
import type { Random } from '../kernel/random.js'
import type { LedgerTruth, Movement } from './ledgerTruth.js'
import { type NodeAnswer, SimNode } from './node/simNode.js'
import { isPermitSigned, type SimPermit } from './permit/simPermit.js'
import { blockHash, SimBranch } from './simBranch.js'
import { type SimChainKeys, simChainKeys } from './simKeys.js'
import { type SimKind, SimPool, sequenceWith } from './simPool.js'
import type { SimState } from './simState.js'
import { readRaw, type SimRecord, type SimTransfer, simId } from './simTransaction.js'

/** Time of the block, Unix seconds, and the fee that is still to be paid. */
type Moment = Parameters<LedgerTruth['reasonAgainst']>[2]

/** What blocks take of a transfer while nobody raised it, smallest unit of the coin. */
export const BASE_FEE = 1_000n

export interface SimLedgerOptions {
  readonly chainId: number
  readonly slug: string
  /**
   * `final`: blocks never leave, and an account takes its numbers strictly in order. `reorging`: the newest blocks may leave, and
   * numbers bind nothing.
   */
  readonly kind: SimKind
  /** How many of the newest blocks may leave; 0 where none does. */
  readonly settle: number
  /** Unix milliseconds. */
  now(): number
  readonly random: Random
  /** Each is of a provider of its own; 3 unless told. */
  readonly nodes?: number
}

/**
 * What becomes of transfers whose blocks leave: they wait again, are forgotten, or may be in other blocks of the same heights. So may
 * what waited, though it is late for the next block.
 */
export type ReorgFate = 'returned' | 'lost' | 'shuffled'

/** A ledger in memory, whose blocks come when they are called for: the truth that its nodes show well or badly. */
export class SimLedger implements LedgerTruth {
  readonly chainId: number
  readonly slug: string
  readonly kind: SimKind
  readonly settle: number
  /** Of the service here. */
  readonly keys: SimChainKeys
  readonly depository: string
  /** What fees are paid in. */
  readonly coin = NATIVE
  readonly token: string
  /** A currency that the service does not list. */
  readonly strangeToken: string
  readonly nodes: readonly SimNode[]
  /** Least fee that blocks take now; what offers less waits. */
  fee = BASE_FEE
  /** While true, blocks take nothing. */
  held = false
  readonly #options: SimLedgerOptions
  readonly #order: Random
  readonly #pool: SimPool
  readonly #closed = new Set<string>()
  #branch: SimBranch
  #reorgs = 0
  /** The branch whose blocks above `height` left last. */
  #left: { readonly branch: SimBranch; readonly height: number } | null = null

  constructor(options: SimLedgerOptions) {
    const { chainId, slug, kind, settle, random, nodes = 3 } = options
    if ((kind === 'final') !== (settle === 0)) throw new Error('Blocks of a ledger that is final settle at once.')
    this.#options = options
    this.chainId = chainId
    this.slug = slug
    this.kind = kind
    this.settle = settle
    this.keys = simChainKeys(slug)
    this.depository = this.keys.allocator.address
    this.token = addressOf(blockHash(slug, 'token').slice(0, 40))
    this.strangeToken = addressOf(blockHash(slug, 'strange').slice(0, 40))
    this.#order = random.fork('order of blocks')
    this.#pool = new SimPool(kind)
    this.#branch = SimBranch.begin(slug, this.#seconds)
    this.nodes = Array.from({ length: nodes }, (_, at) => new SimNode(this, at, random.fork(`node ${at}`)))
  }

  get head(): LedgerBlock {
    return this.#branch.head
  }

  /** The blocks that count now. */
  get branch(): SimBranch {
    return this.#branch
  }

  /** Canonical, oldest first; failed ones too. */
  records(): readonly SimRecord[] {
    return this.#branch.records
  }

  /** What waits for a block, and can be in the next one. */
  pending(): readonly SimTransfer[] {
    return this.#pool.waiting.filter(({ validUntil }) => validUntil > this.head.height)
  }

  balance(account: string, currency: string): bigint {
    return this.#branch.state.balance(account, currency)
  }

  /** The number that an account's next transfer takes, with all that waits. */
  sequence(account: string): number {
    return sequenceWith(this.#branch.state, this.pending(), account)
  }

  /** Money from nowhere, or with a negative amount to nowhere: it was always so, whatever blocks leave. */
  fund(account: string, currency: string, amount: bigint): void {
    const entries = [...this.#branch.entries, ...(this.#left?.branch.entries ?? [])]
    for (const state of new Set(entries.map((entry) => entry.state))) state.add(account, currency, amount)
  }

  /** Nobody can pay this account any more: transfers to it fail, and what takes from it without its own signature on the transfer. */
  close(account: string): void {
    this.#closed.add(account)
  }

  open(account: string): void {
    this.#closed.delete(account)
  }

  reasonAgainst(state: SimState, movement: Movement, { time, fee = 0n }: Moment): string | null {
    if (movement.sweep !== undefined) return this.#reasonAgainstSweep(state, movement, fee)
    if (movement.permit !== undefined) return this.#reasonAgainstPermit(state, movement, movement.permit, { time, fee })
    const { account, from, to, currency, amount } = movement
    const needed = BigInt(amount) + (currency === NATIVE && account === from ? fee : 0n)
    if (state.balance(from, currency) < needed || state.balance(account, NATIVE) < fee) return 'INSUFFICIENT'
    return this.#closed.has(to) ? 'CLOSED' : null
  }

  /** One that moves nothing fails, or costs its fee only, where blocks are final; nobody would send it. */
  #reasonAgainstSweep(state: SimState, { account, from, to, sweep }: Movement, fee: bigint): string | null {
    if (state.balance(account, NATIVE) < fee) return 'INSUFFICIENT'
    if (to !== this.depository || this.#closed.has(from)) return 'CLOSED'
    const isEmpty = sweep?.currencies.every((currency) => state.balance(from, currency) === 0n)
    return isEmpty && (fee > 0n || this.kind === 'reorging') ? 'EMPTY' : null
  }

  #reasonAgainstPermit(
    state: SimState,
    { account, from, to, currency, amount }: Movement,
    permit: SimPermit,
    { time, fee = 0n }: Moment,
  ): string | null {
    if (state.balance(account, NATIVE) < fee) return 'INSUFFICIENT'
    if (to !== this.depository || this.#closed.has(from) || !isPermitSigned(this.slug, permit)) return 'PERMIT_REFUSED'
    if (state.isUsed(permit)) return 'PERMIT_USED'
    if (state.isRevoked(permit)) return 'PERMIT_REVOKED'
    if (time > permit.expiresAt) return 'PERMIT_EXPIRED'
    return state.balance(from, currency) < BigInt(amount) ? 'OWNER_INSUFFICIENT' : null
  }

  /** Takes signed bytes past all nodes and gives their id. Throws an Error whose message is a code. */
  submit(raw: string): string {
    const transfer = readRaw(raw, this.slug)
    const id = simId(transfer)
    if (this.#branch.record(id) === null) this.#pool.add(transfer, this.#branch)
    return id
  }

  /** The next block, with all that can be in it. */
  mine(): void {
    const left = this.#append(this.held ? [] : this.#shuffled(this.#pool.drain()))
    this.#restore(left)
  }

  /** Takes the newest blocks away with what they did, and puts as many others in their place. */
  reorg(depth: number, fate: ReorgFate): void {
    if (depth < 1 || depth > this.settle) throw new Error(`No ${depth} blocks of this ledger can leave.`)
    const height = Math.max(0, this.head.height - depth)
    const gone = this.#branch.entries.slice(height + 1)
    const dropped = gone.flatMap(({ records }) => records.map(({ transfer }) => transfer))
    this.#left = { branch: this.#branch, height }
    this.#branch = this.#branch.upTo(height)
    this.#reorgs += 1
    const waiting = fate === 'shuffled' ? this.#shuffled([...dropped, ...this.#pool.drain()]) : []
    for (const [at] of gone.entries()) {
      const share = waiting.splice(0, at === gone.length - 1 ? waiting.length : this.#order.int(0, waiting.length))
      waiting.push(...this.#append(share))
    }
    this.#restore(fate === 'returned' ? dropped : waiting)
  }

  /** The very blocks that left last count again, and more than took their place; false where those are too many to leave. */
  takeBack(): boolean {
    const left = this.#left
    const { height } = this.head
    if (left === null || height - left.height > this.settle) return false
    const dropped = this.#branch.entries.slice(left.height + 1).flatMap(({ records }) => records)
    const waiting = [...dropped.map(({ transfer }) => transfer), ...this.#pool.drain()]
    this.#branch = left.branch
    this.#left = null
    this.#reorgs += 1
    while (this.head.height <= height) this.#append([])
    this.#restore(waiting.filter((transfer) => this.#branch.record(simId(transfer)) === null))
    return true
  }

  /** One JSON-RPC request to the node of that URL, answered by the state of now. */
  answer(url: string, body: string): NodeAnswer {
    const node = this.nodes.find((item) => item.url === url)
    if (node === undefined) throw new Error(`No node of ${this.slug} is at ${url}.`)
    return node.answer(body)
  }

  /** What is late for the next block may still be in one that takes the place of another. */
  #restore(transfers: readonly SimTransfer[]): void {
    this.#pool.restore(transfers)
    this.#pool.expire(this.head.height - this.settle)
  }

  get #seconds(): number {
    return Math.floor(this.#options.now() / 1000)
  }

  #shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, rank: this.#order.next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ item }) => item)
  }

  /** Adds a block of these, and gives back what it could not take. */
  #append(candidates: readonly SimTransfer[]): SimTransfer[] {
    const { head, state: before } = this.#branch
    const height = head.height + 1
    const time = Math.max(head.time, this.#seconds)
    const block = { height, time, hash: blockHash(this.slug, height, head.hash, this.#reorgs) }
    const state = candidates.length === 0 ? before : before.copy()
    const waiting = [...candidates]
    const records: SimRecord[] = []
    for (;;) {
      const at = waiting.findIndex((transfer) => transfer.validUntil >= height && this.#isReady(transfer, state))
      const [transfer] = at === -1 ? [] : waiting.splice(at, 1)
      if (transfer === undefined) break
      records.push(this.#include(transfer, block, state))
    }
    this.#branch = this.#branch.with({ block, records, state })
    return waiting
  }

  #isReady(transfer: SimTransfer, state: SimState): boolean {
    const { account, sequence, fee } = transfer
    if (BigInt(fee) < this.fee || state.balance(account, NATIVE) < BigInt(fee)) return false
    return this.kind === 'reorging' || sequence === state.sequence(account)
  }

  /** Fee and number are gone, also of one that fails. */
  #include(transfer: SimTransfer, block: LedgerBlock, state: SimState): SimRecord {
    state.charge(transfer)
    const reason = this.reasonAgainst(state, transfer, { time: block.time })
    const status = reason === null ? 'success' : 'failed'
    const record = { id: simId(transfer), transfer, status, reason, fee: transfer.fee, block } as const
    if (transfer.sweep !== undefined) {
      return { ...record, swept: reason === null ? state.sweep(transfer, transfer.sweep.currencies) : [] }
    }
    if (reason !== null) return record
    state.move(transfer)
    if (transfer.permit !== undefined) state.use(transfer.permit)
    if (transfer.revokes?.owner === transfer.account) state.revoke(transfer.revokes)
    return record
  }
}
