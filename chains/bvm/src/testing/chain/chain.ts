import type { Block, Transaction } from 'bitcoinjs-lib'
import { checkCoins, checkForm } from '../mempool/policy.js'
import { genesisBlock } from './blocks.js'
import { type Coin, coinsMadeBy, type KnownTransaction, known, outpoint, outpointsOf, sumOf } from './coins.js'
import { MISSING_INPUTS, Refusal } from './refusal.js'
import { SUBSIDY, toHex } from './regtest.js'
import { formOf } from './scriptForms.js'
import { checkTimelocks, type Moment } from './timelocks.js'
import { verifyInputs } from './verifyInput.js'

/** A block and what is known of it. */
export interface MinedBlock {
  readonly block: Block
  readonly hash: string
  readonly height: number
  readonly transactions: readonly KnownTransaction[]
}

/** Where a transaction is in the chain. */
export interface Place {
  readonly block: MinedBlock
  /** Its position within the block. */
  readonly at: number
}

/** The input that spends a coin. */
export interface Spender {
  readonly txid: string
  readonly vin: number
}

/** The best chain, the coins it leaves unspent, and where each transaction and address is found in it. */
export class Chain {
  readonly coins = new Map<string, Coin>()
  readonly #blocks: MinedBlock[] = []
  /** Blocks ever seen, those that left the chain included. */
  readonly #byHash = new Map<string, MinedBlock>()
  readonly #places = new Map<string, Place>()
  /** Where transactions were that left the chain with their block. */
  readonly #left = new Map<string, Place>()
  readonly #spenders = new Map<string, Spender>()
  readonly #histories = new Map<string, string[]>()

  constructor(readonly maturity: number) {
    const block = genesisBlock()
    const transactions = (block.transactions ?? []).map((tx) => known(tx, [], block.timestamp))
    // As in the real chain, the first coinbase is no coin.
    this.#append({ block, hash: block.getId(), height: 0, transactions })
  }

  get height(): number {
    return this.#blocks.length - 1
  }

  get tip(): MinedBlock {
    return this.blockAt(this.height)
  }

  /** @throws Error when the chain is not that long */
  blockAt(height: number): MinedBlock {
    const found = this.#blocks[height]
    if (found === undefined) throw new Error(`there is no block ${height}`)
    return found
  }

  /** A block of this chain or one that left it. */
  blockOf(hash: string): MinedBlock | undefined {
    return this.#byHash.get(hash)
  }

  includes(block: MinedBlock): boolean {
    return this.#blocks[block.height] === block
  }

  placeOf(txid: string): Place | undefined {
    return this.#places.get(txid)
  }

  /** The block that a transaction left the chain with, whether or not it came back in another one. */
  leftPlaceOf(txid: string): Place | undefined {
    return this.#left.get(txid)
  }

  spenderOf(coin: string): Spender | undefined {
    return this.#spenders.get(coin)
  }

  /** Transactions that pay to or spend from a script, oldest first. */
  historyOf(script: Uint8Array): readonly string[] {
    return this.#histories.get(toHex(script)) ?? []
  }

  /** Median time of the eleven blocks that end with one: what a later block's time must exceed. */
  medianTime(height: number): number {
    const times = this.#blocks.slice(Math.max(0, height - 10), height + 1).map(({ block }) => block.timestamp)
    return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  }

  /** What the next block is measured by. */
  get nextMoment(): Moment {
    const medianTimeBefore = (height: number) => this.medianTime(Math.max(0, height - 1))
    return { height: this.height + 1, medianTime: this.medianTime(this.height), medianTimeBefore }
  }

  /**
   * Takes the next block. `checked` names transactions (wtxid) whose scripts were run before.
   * @throws Refusal when a transaction breaks a rule of consensus; the chain is then as before
   */
  connect(block: Block, seenAt: (txid: string) => number, checked: ReadonlySet<string> = new Set()): MinedBlock {
    const height = this.height + 1
    const spentNow = new Set<string>()
    const madeNow = new Map<string, Coin>()
    const transactions = (block.transactions ?? []).map((tx) => {
      const spent = this.#spend(tx, spentNow, madeNow, checked)
      for (const coin of coinsMadeBy(tx, height)) madeNow.set(outpoint(coin.txid, coin.vout), coin)
      return known(tx, spent, seenAt(tx.getId()))
    })
    checkReward(transactions)
    for (const [key, coin] of madeNow) if (formOf(coin.script) !== 'opReturn') this.coins.set(key, coin)
    for (const key of spentNow) this.coins.delete(key)
    return this.#append({ block, hash: block.getId(), height, transactions })
  }

  /** Takes the newest block off the chain. @throws Error at the first block */
  disconnect(): MinedBlock {
    if (this.height === 0) throw new Error('the first block cannot leave')
    const left = this.tip
    this.#blocks.pop()
    for (const [at, { tx, txid, spent }] of [...left.transactions.entries()].reverse()) {
      this.#places.delete(txid)
      this.#left.set(txid, { block: left, at })
      for (const vout of tx.outs.keys()) this.coins.delete(outpoint(txid, vout))
      for (const coin of spent) {
        this.coins.set(outpoint(coin.txid, coin.vout), coin)
        this.#spenders.delete(outpoint(coin.txid, coin.vout))
      }
      for (const script of scriptsOf(tx, spent)) {
        const kept = (this.#histories.get(script) ?? []).filter((id) => id !== txid)
        this.#histories.set(script, kept)
      }
    }
    return left
  }

  #spend(
    tx: Transaction,
    spentNow: Set<string>,
    madeNow: ReadonlyMap<string, Coin>,
    checked: ReadonlySet<string>,
  ): readonly Coin[] {
    if (tx.isCoinbase()) return []
    checkForm(tx)
    const spent = outpointsOf(tx).map((key) => {
      const coin = madeNow.get(key) ?? this.coins.get(key)
      if (coin === undefined || spentNow.has(key)) throw new Refusal(MISSING_INPUTS)
      spentNow.add(key)
      return coin
    })
    checkCoins(tx, spent, this.height + 1, this.maturity)
    checkTimelocks(tx, spent, this.nextMoment)
    if (!checked.has(known(tx, spent, 0).wtxid)) verifyInputs(tx, spent, 'consensus')
    return spent
  }

  #append(mined: MinedBlock): MinedBlock {
    this.#blocks.push(mined)
    this.#byHash.set(mined.hash, mined)
    for (const [at, { tx, txid, spent }] of mined.transactions.entries()) {
      this.#places.set(txid, { block: mined, at })
      for (const [vin, coin] of spent.entries()) this.#spenders.set(outpoint(coin.txid, coin.vout), { txid, vin })
      for (const script of scriptsOf(tx, spent)) {
        const history = this.#histories.get(script)
        if (history === undefined) this.#histories.set(script, [txid])
        else history.push(txid)
      }
    }
    return mined
  }
}

/** Every script a transaction touches, once, in hex. */
const scriptsOf = (tx: Transaction, spent: readonly Coin[]): ReadonlySet<string> =>
  new Set([...tx.outs, ...spent].map(({ script }) => toHex(script)))

const checkReward = ([coinbase, ...others]: readonly KnownTransaction[]): void => {
  if (coinbase === undefined || !coinbase.tx.isCoinbase()) throw new Refusal('bad-cb-missing')
  if (others.some(({ tx }) => tx.isCoinbase())) throw new Refusal('bad-cb-multiple')
  const fees = others.reduce((sum, { fee }) => sum + fee, 0n)
  if (sumOf(coinbase.tx.outs) > SUBSIDY + fees) throw new Refusal('bad-cb-amount')
}
