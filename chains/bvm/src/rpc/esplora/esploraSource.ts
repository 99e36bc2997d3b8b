import { type Hex, ServiceError } from '@causeway/core'
import type { BroadcastResult } from '@causeway/core/chain'
import {
  type HttpTransportDeps,
  httpStatusError,
  type NodeRestriction,
  RestClient,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import type { Coin, Outpoint } from '../../payout/coins/coin.js'
import { type FeeRate, isForSoon, rateOfText } from '../../payout/coins/feeRate.js'
import type { Spend } from '../../payout/generationState.js'
import type {
  BitcoinSource,
  BlockHeader,
  HeightRange,
  MempoolReading,
  WatchedScript,
  WholeBlock,
} from '../bitcoinSource.js'
import { readRefusal } from '../broadcastErrors.js'
import { type ChainTransaction, feePaid } from '../chainTransaction.js'
import { parseExactJson } from '../exactJson.js'
import { inTurns } from '../inTurns.js'
import { accepted, rawTransactionOf, readRawTransaction } from '../rawTransaction.js'
import { atHeight, field, hashOf, listOf, satoshisOf, wholeOf } from '../readAnswer.js'
import { EsploraBlocks } from './esploraBlocks.js'
import { EsploraMempool } from './esploraMempool.js'
import { readEsploraTransaction, readStatus } from './esploraTransaction.js'

const SPARE = 'Other endpoints are asked for it. Without one'

/** Questions that some services do not answer. */
const NEEDED = [
  {
    path: '/fee-estimates',
    cost: `${SPARE}, the last rate is used for six hours, then the chain gives no quotes.`,
  },
  {
    path: '/mempool/txids',
    cost: `${SPARE}, payments to deposit addresses are seen once they are in a block.`,
  },
] as const

/** Pages of an address's history that are read at most for one range: 25 transactions each. */
const MAX_PAGES = 4000
/** Addresses that are asked about at once: each takes a question of its own. */
const ADDRESSES_AT_ONCE = 8
const DESCENDANTS_AT_ONCE = 8
/** Nodes replace no more transactions at once than these (BIP-125 rule 5). */
const MOST_DESCENDANTS = 100

/** A node behind Esplora's REST API. */
export class EsploraSource implements BitcoinSource {
  /** Its history of an address begins with the newest: the older the blocks, the more of it is read for nothing. */
  readonly pageBlocks = 2016n
  /** It has no further pages of them. */
  readonly waitingLimit = 50
  readonly #rest: RestClient
  readonly #blocks: EsploraBlocks
  readonly #mempool = new EsploraMempool()
  #newest: BlockHeader | null = null

  constructor(deps: HttpTransportDeps) {
    this.#rest = new RestClient({ ...deps, parse: parseExactJson })
    this.#blocks = new EsploraBlocks(deps)
  }

  async genesisHash(): Promise<string> {
    return hashOf(await this.#requiredText('/block-height/0'))
  }

  async tip(): Promise<BlockHeader> {
    const hash = hashOf(await this.#requiredText('/blocks/tip/hash'))
    // What a block holds does not change, whether or not it is still the tip.
    if (this.#newest?.hash === hash) return this.#newest
    const header = await this.#block(hash)
    if (header === null) throw strangeAnswer('a tip that is no block')
    this.#newest = header
    return header
  }

  async blockAt(height: bigint): Promise<BlockHeader | null> {
    const hash = await this.#text(`/block-height/${height}`)
    return hash === null ? null : atHeight(await this.#block(hash), height)
  }

  /** Its index has all blocks. */
  async hasBlock(): Promise<boolean> {
    return true
  }

  async transaction(txId: string): Promise<ChainTransaction | null> {
    const value = await this.#json(`/tx/${hashOf(txId)}`)
    return value === null ? null : readEsploraTransaction(value, txId)
  }

  async rawTransaction(txId: string): Promise<Uint8Array | null> {
    const text = await this.#text(`/tx/${hashOf(txId)}/hex`)
    return text === null ? null : rawTransactionOf(text, txId)
  }

  async history({ address }: WatchedScript, { from, to }: HeightRange): Promise<readonly ChainTransaction[]> {
    const found: ChainTransaction[] = []
    let last: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const path = `/address/${address}/txs/chain${last === undefined ? '' : `/${last}`}`
      // Newest first, so that the first one below the range ends it.
      const transactions = listOf(await this.#json(path)).map((value) => readEsploraTransaction(value))
      for (const transaction of transactions) {
        const height = transaction.block?.height ?? to + 1n
        if (height >= from && height <= to) found.push(transaction)
      }
      const oldest = transactions.at(-1)
      if (oldest === undefined || (oldest.block?.height ?? to) < from) return found.reverse()
      if (oldest.id === last) throw strangeAnswer('a history that does not end')
      last = oldest.id
    }
    throw new ServiceError('RPC_HTTP_ERROR', 'The history of an address is too long to be read.')
  }

  wholeBlocks(range: HeightRange): AsyncIterable<WholeBlock> {
    return this.#blocks.read(range, async (height) => {
      const hash = await this.#text(`/block-height/${height}`)
      return hash === null ? null : hashOf(hash)
    })
  }

  async mempool(known: ReadonlySet<string>): Promise<MempoolReading> {
    const ids = listOf(await this.#json('/mempool/txids')).map(hashOf)
    return this.#mempool.since(known, ids, async (txId) => {
      const bytes = await this.rawTransaction(txId)
      return bytes === null ? null : readRawTransaction(bytes, txId)
    })
  }

  async waiting({ address }: WatchedScript): Promise<readonly ChainTransaction[]> {
    const transactions = listOf(await this.#json(`/address/${address}/txs/mempool`))
    return transactions.map((value) => readEsploraTransaction(value))
  }

  async waitingSpends({ address }: WatchedScript): Promise<number> {
    const stats = field(await this.#json(`/address/${address}`), 'mempool_stats')
    return wholeOf(field(stats, 'spent_txo_count'))
  }

  async coins({ address, script }: WatchedScript): Promise<readonly Coin[]> {
    return listOf(await this.#json(`/address/${address}/utxo`)).map((coin) => ({
      txId: hashOf(field(coin, 'txid')),
      index: wholeOf(field(coin, 'vout')),
      value: satoshisOf(field(coin, 'value')),
      script,
      height: readStatus(field(coin, 'status'))?.height ?? null,
    }))
  }

  coinsOf(watched: readonly WatchedScript[]): Promise<readonly (readonly Coin[])[]> {
    return inTurns(watched, ADDRESSES_AT_ONCE, (one) => this.coins(one))
  }

  balances(watched: readonly WatchedScript[]): Promise<readonly bigint[]> {
    return inTurns(watched, ADDRESSES_AT_ONCE, (one) => this.balance(one))
  }

  async balance({ address }: WatchedScript): Promise<bigint> {
    const stats = field(await this.#json(`/address/${address}`), 'chain_stats')
    return satoshisOf(field(stats, 'funded_txo_sum')) - satoshisOf(field(stats, 'spent_txo_sum'))
  }

  async spend({ txId, index }: Outpoint, _since?: bigint): Promise<Spend | null> {
    const spends = await this.#json(`/tx/${hashOf(txId)}/outspends`)
    if (spends === null) return null
    const spend = listOf(spends)[index]
    if (field(spend, 'spent') !== true) return null
    const block = readStatus(field(spend, 'status'))
    const spender = hashOf(field(spend, 'txid'))
    if (block === null) return { txId: spender, confirmations: 0n }
    const tip = wholeOf(Number(await this.#requiredText('/blocks/tip/height')))
    return { txId: spender, confirmations: BigInt(tip) - block.height + 1n }
  }

  async holds({ txId, index }: Outpoint): Promise<boolean> {
    const status = await this.#json(`/tx/${hashOf(txId)}/status`)
    if (status === null || readStatus(status) === null) return false
    const spend = await this.#json(`/tx/${txId}/outspend/${index}`)
    return spend !== null && field(spend, 'spent') === false
  }

  async descendantFees(txId: string): Promise<bigint> {
    const fees = new Map<string, bigint>()
    for (let parents: readonly string[] = [txId]; parents.length > 0 && fees.size <= MOST_DESCENDANTS; ) {
      const spenders = (await inTurns(parents, DESCENDANTS_AT_ONCE, (id) => this.#waitingSpenders(id))).flat()
      const news = [...new Set(spenders)].filter((id) => !fees.has(id)).slice(0, MOST_DESCENDANTS + 1)
      const found = await inTurns(news, DESCENDANTS_AT_ONCE, (id) => this.transaction(id))
      news.forEach((id, at) => {
        const child = found[at] ?? null
        fees.set(id, child === null ? 0n : (feePaid(child) ?? 0n))
      })
      parents = news
    }
    return [...fees.values()].reduce((sum, fee) => sum + fee, 0n)
  }

  async feeRate(target: number): Promise<FeeRate | null> {
    const estimates = await this.#json('/fee-estimates')
    const targets = Object.keys(estimates ?? {})
      .map(Number)
      .filter((blocks) => Number.isInteger(blocks) && blocks > 0 && isForSoon(blocks, target))
      .sort((left, right) => left - right)
    const chosen = targets.filter((blocks) => blocks <= target).at(-1) ?? targets[0]
    return chosen === undefined ? null : rateOfText(String(field(estimates, `${chosen}`)))
  }

  async broadcast(raw: Hex): Promise<BroadcastResult> {
    const { status, text } = await this.#rest.postText('/tx', raw.slice(2), { repeatable: false })
    if (status === 200) return accepted(text.trim(), raw)
    if (status === 400) return readRefusal(text)
    throw httpStatusError(status, null)
  }

  async lack(): Promise<string | null> {
    return null
  }

  async limits(): Promise<readonly NodeRestriction[]> {
    const answers = await Promise.all(
      NEEDED.map(({ path }) =>
        this.#json(path).catch((error: unknown) => {
          if (ServiceError.is(error)) return null
          throw error
        }),
      ),
    )
    return NEEDED.flatMap(({ path, cost }, at) =>
      answers[at] === null ? [{ says: `does not serve GET ${path}`, cost }] : [],
    )
  }

  close(): void {
    this.#rest.close()
    this.#blocks.close()
  }

  /** Waiting transactions that spend what another one makes. */
  async #waitingSpenders(txId: string): Promise<readonly string[]> {
    const spends = await this.#json(`/tx/${hashOf(txId)}/outspends`)
    return (spends === null ? [] : listOf(spends))
      .filter((spend) => field(spend, 'spent') === true && readStatus(field(spend, 'status')) === null)
      .map((spend) => hashOf(field(spend, 'txid')))
  }

  async #block(hash: string): Promise<BlockHeader | null> {
    const block = await this.#json(`/block/${hashOf(hash)}`)
    if (block === null) return null
    if (field(block, 'id') !== hash) throw strangeAnswer('another block than the one asked for')
    const previous = field(block, 'previousblockhash')
    return {
      height: BigInt(wholeOf(field(block, 'height'))),
      hash: hashOf(field(block, 'id')),
      time: wholeOf(field(block, 'timestamp')),
      previousHash: typeof previous === 'string' ? hashOf(previous) : null,
    }
  }

  async #requiredText(path: string): Promise<string> {
    const text = await this.#text(path)
    if (text === null) throw strangeAnswer('nothing where something must be')
    return text
  }

  async #text(path: string): Promise<string | null> {
    return (await this.#rest.getText(path))?.trim() ?? null
  }

  /** Null where the node knows of no such thing. */
  #json(path: string): Promise<unknown> {
    return this.#rest.get(path, (answer) => answer)
  }
}
