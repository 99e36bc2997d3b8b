import { randomBytes } from 'node:crypto'
import type { Transaction } from 'bitcoinjs-lib'
import { buildBlock } from '../chain/blocks.js'
import { Chain, type MinedBlock } from '../chain/chain.js'
import { type Coin, type KnownTransaction, known, outpoint, outpointsOf } from '../chain/coins.js'
import { ALREADY_MINED, ALREADY_WAITING, MISSING_INPUTS, Refusal } from '../chain/refusal.js'
import { SUBSIDY } from '../chain/regtest.js'
import { checkTimelocks } from '../chain/timelocks.js'
import { verifyInputs } from '../chain/verifyInput.js'
import { Mempool, type WaitingTransaction } from '../mempool/mempool.js'
import { checkCoins, checkForm, checkStandard, checkStandardCoins, feeAt, type Policy } from '../mempool/policy.js'
import { checkReplacement } from '../mempool/replacement.js'

const MAX_BLOCK_WEIGHT = 3_996_000

/** What blocks are made of. */
export interface MineOptions {
  /** What the first block holds, parents first, in place of what waits. */
  readonly transactions?: readonly Transaction[]
  /** Leaves what waits waiting. */
  readonly empty?: boolean
  /** Unix seconds of the first block; later ones follow a second apart at least. */
  readonly time?: number
}

/** What an accepted transaction brought about. */
export interface Accepted extends KnownTransaction {
  readonly replaced: readonly WaitingTransaction[]
}

/** A node of regtest: one chain and one mempool, and the rules between them. */
export class LocalNode {
  readonly chain: Chain
  readonly mempool = new Mempool()
  readonly policy: Policy
  /** The mempool's own floor, in satoshis per 1,000 virtual bytes, which rises when it is full. */
  mempoolMinFeeRate: bigint
  /** Transactions whose scripts were found good, by wtxid. */
  readonly #checked = new Set<string>()
  readonly #seen = new Map<string, number>()

  constructor(
    policy: Policy,
    readonly minerScript: Uint8Array,
  ) {
    this.policy = policy
    this.mempoolMinFeeRate = policy.minRelayFeeRate
    this.chain = new Chain(policy.coinbaseMaturity)
  }

  /** Takes a transaction into the mempool. @throws Refusal */
  submit(tx: Transaction): Accepted {
    const accepted = this.judge(tx)
    for (const { txid } of accepted.replaced) this.mempool.remove(txid)
    this.#seen.set(accepted.txid, accepted.seenAt)
    const { replaced: _, ...entry } = accepted
    this.mempool.add({ ...entry, seenHeight: this.chain.height })
    return accepted
  }

  /** What `submit` would do. @throws Refusal */
  judge(tx: Transaction): Accepted {
    checkForm(tx)
    checkStandard(tx, this.policy)
    const txid = tx.getId()
    if (this.mempool.entries.has(txid)) throw new Refusal(ALREADY_WAITING)
    const spent = this.#coinsOf(tx)
    const candidate = known(tx, spent, this.#seen.get(txid) ?? Math.floor(Date.now() / 1000))
    checkTimelocks(tx, spent, this.chain.nextMoment)
    checkCoins(tx, spent, this.chain.height + 1, this.policy.coinbaseMaturity)
    checkStandardCoins(spent)
    this.#checkFee(candidate)
    this.#checkLimits(candidate)
    const replaced = checkReplacement(this.mempool, candidate, this.policy)
    if (!this.#checked.has(candidate.wtxid)) verifyInputs(tx, spent)
    this.#checked.add(candidate.wtxid)
    return { ...candidate, replaced }
  }

  /** Makes blocks. @throws Refusal when a chosen transaction breaks a rule of consensus */
  mine(count: number, options: MineOptions = {}): readonly MinedBlock[] {
    return Array.from({ length: count }, (_, at) => {
      const { transactions, empty = false } = options
      const chosen = at === 0 && transactions !== undefined ? transactions : empty ? [] : this.#takeWaiting()
      return this.#mineOne(chosen, (options.time ?? Math.floor(Date.now() / 1000)) + at)
    })
  }

  /** Takes blocks off the chain; what they held waits again, without what is to be dropped. */
  rewind(depth: number, dropped: (txid: string) => boolean = () => false): void {
    const left = Array.from({ length: depth }, () => this.chain.disconnect()).reverse()
    this.restore(left.flatMap(({ transactions }) => transactions).filter(({ txid }) => !dropped(txid)))
  }

  /**
   * As `rewind`, and another branch grows in place of the blocks, one longer; `transactions` are in its first block.
   * @throws Refusal when one of them breaks a rule of consensus; nothing has changed then
   */
  reorganize(depth: number, transactions: readonly Transaction[], dropped: (txid: string) => boolean): void {
    const left = Array.from({ length: depth }, () => this.chain.disconnect()).reverse()
    try {
      this.mine(depth + 1, { transactions, empty: true })
    } catch (error) {
      for (const { block } of left) this.chain.connect(block, (txid) => this.#seen.get(txid) ?? 0, this.#checked)
      throw error
    }
    this.restore(left.flatMap((block) => block.transactions).filter(({ txid }) => !dropped(txid)))
  }

  /** Puts transactions that left the chain back where they still fit, before what already waits. */
  restore(transactions: readonly KnownTransaction[]): void {
    const waiting = [...this.mempool.entries.values()]
    for (const { txid } of waiting) this.mempool.remove(txid)
    for (const { tx } of [...transactions, ...waiting]) {
      if (tx.isCoinbase() || this.chain.placeOf(tx.getId()) !== undefined) continue
      try {
        this.submit(tx)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }

  #mineOne(transactions: readonly Transaction[], time: number): MinedBlock {
    const { tip, height } = this.chain
    const fees = this.#feesOf(transactions)
    const block = buildBlock({
      previous: tip.block.getHash(),
      height: height + 1,
      time: Math.max(time, this.chain.medianTime(height) + 1),
      payTo: this.minerScript,
      reward: SUBSIDY + fees,
      transactions,
      salt: randomBytes(8),
    })
    const mined = this.chain.connect(block, (txid) => this.#seen.get(txid) ?? block.timestamp, this.#checked)
    for (const { txid, tx } of mined.transactions) {
      this.mempool.remove(txid)
      for (const key of outpointsOf(tx)) this.mempool.evict(this.mempool.spenderOf(key)?.txid ?? '')
    }
    return mined
  }

  /** Fees as far as the coins are known; a block that spends others is refused when it is connected. */
  #feesOf(transactions: readonly Transaction[]): bigint {
    const made = new Map(
      transactions.flatMap((tx) => tx.outs.map(({ value }, vout) => [outpoint(tx.getId(), vout), value] as const)),
    )
    return transactions.reduce((sum, tx) => {
      const values = outpointsOf(tx).map((key) => made.get(key) ?? this.chain.coins.get(key)?.value)
      const entering = values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n)
      const leaving = tx.outs.reduce((total, { value }) => total + value, 0n)
      return entering > leaving ? sum + entering - leaving : sum
    }, 0n)
  }

  /** What waits, best rate first, each after what it spends from, as far as a block has room. */
  #takeWaiting(): readonly Transaction[] {
    const taken = new Map<string, Transaction>()
    let room = MAX_BLOCK_WEIGHT
    const byRate = [...this.mempool.entries.values()].sort((a, b) =>
      Number(b.fee * BigInt(a.vsize) - a.fee * BigInt(b.vsize)),
    )
    for (const entry of byRate) {
      const ancestors = new Set(this.mempool.ancestorsOf(entry).map(({ txid }) => txid))
      const needed = [...this.mempool.entries.values()].filter(
        ({ txid }) => (ancestors.has(txid) || txid === entry.txid) && !taken.has(txid),
      )
      const weight = needed.reduce((sum, { tx }) => sum + tx.weight(), 0)
      if (weight > room) continue
      room -= weight
      for (const { txid, tx } of needed) taken.set(txid, tx)
    }
    return [...taken.values()]
  }

  #coinsOf(tx: Transaction): readonly Coin[] {
    const txid = tx.getId()
    if (tx.outs.some((_, vout) => this.chain.coins.has(outpoint(txid, vout)))) throw new Refusal(ALREADY_MINED)
    return outpointsOf(tx).map((key) => {
      const coin = this.chain.coins.get(key) ?? this.mempool.coinOf(key)
      if (coin === undefined) throw new Refusal(MISSING_INPUTS)
      return coin
    })
  }

  #checkFee({ fee, vsize }: KnownTransaction): void {
    const relay = feeAt(this.policy.minRelayFeeRate, vsize)
    const floor = feeAt(this.mempoolMinFeeRate, vsize)
    if (floor > relay && fee < floor) throw new Refusal('mempool min fee not met', `${fee} < ${floor}`)
    if (fee < relay) throw new Refusal('min relay fee not met', `${fee} < ${relay}`)
  }

  #checkLimits(candidate: KnownTransaction): void {
    const { maxAncestors, maxDescendants } = this.policy
    const ancestors = this.mempool.ancestorsOf(candidate)
    if (ancestors.length + 1 > maxAncestors) {
      throw new Refusal('too-long-mempool-chain', `too many unconfirmed ancestors [limit: ${maxAncestors}]`)
    }
    const full = ancestors.find(({ txid }) => this.mempool.descendantsOf(txid).length + 1 > maxDescendants)
    if (full === undefined) return
    throw new Refusal('too-long-mempool-chain', `too many descendants for tx ${full.txid} [limit: ${maxDescendants}]`)
  }
}
