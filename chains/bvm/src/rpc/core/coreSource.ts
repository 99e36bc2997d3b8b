import { type Hex, larger } from '@causeway/core'
import type { BlockRef, BroadcastResult } from '@causeway/core/chain'
import {
  type HttpTransportDeps,
  type NeededCall,
  type NodeRestriction,
  resultOf,
  strangeAnswer,
} from '@causeway/core/chain-kit'
import { type Coin, type Outpoint, outpointText } from '../../payout/coins/coin.js'
import { type FeeRate, isForSoon, RELAY_RATE } from '../../payout/coins/feeRate.js'
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
import type { ChainOutput, ChainTransaction } from '../chainTransaction.js'
import { accepted, type RawTransaction, rawTransactionOf, readRawTransaction, touches } from '../rawTransaction.js'
import { atHeight, bitcoinsOf, field, hashOf, hexBytes, listOf, wholeOf } from '../readAnswer.js'
import { blocksOf, hashAt, headerOf } from './coreBlocks.js'
import { CoreMempool } from './coreMempool.js'
import { CoreRpc, NOT_FOUND } from './coreRpc.js'
import { CoreSearch, spends } from './coreSearch.js'

const SPARE = 'Other endpoints are asked for it. Without one'

/** Calls that services before a node may withhold. */
const NEEDED: readonly NeededCall[] = [
  {
    call: { method: 'estimatesmartfee', params: [6] },
    cost: `${SPARE}, the last rate is used for six hours, then the chain gives no quotes.`,
  },
  {
    call: { method: 'getrawmempool', params: [] },
    cost: `${SPARE}, deposits and payments are seen once they are in a block.`,
  },
  {
    call: { method: 'scantxoutset', params: ['status'] },
    cost: `${SPARE}, the coins of the solver are not listed, and no payout is made.`,
  },
]

/** Transactions of the mempool that are looked into at once, and those whose outputs a transaction spends: strangers make both. */
const WAITING_AT_ONCE = 16
const PARENTS_AT_ONCE = 50

/**
 * A node of Bitcoin Core with `txindex`, without a wallet. It keeps no history of addresses: blocks are read whole, and coins
 * come from a scan of all unspent outputs, which takes long on the main network.
 */
export class CoreSource implements BitcoinSource {
  readonly pageBlocks = 20n
  readonly waitingLimit = null
  readonly #rpc: CoreRpc
  readonly #mempool: CoreMempool
  readonly #search: CoreSearch

  constructor(deps: HttpTransportDeps) {
    this.#rpc = new CoreRpc(deps)
    this.#mempool = new CoreMempool(this.#rpc)
    this.#search = new CoreSearch(this.#rpc)
  }

  async genesisHash(): Promise<string> {
    return hashOf(await this.#rpc.call('getblockhash', 0))
  }

  async tip(): Promise<BlockHeader> {
    const info = await this.#rpc.call('getblockchaininfo')
    const header = await headerOf(this.#rpc, hashOf(field(info, 'bestblockhash')))
    if (header === null) throw strangeAnswer('a tip that is no block')
    return header
  }

  async blockAt(height: bigint): Promise<BlockHeader | null> {
    const hash = await hashAt(this.#rpc, height)
    return hash === null ? null : atHeight(await headerOf(this.#rpc, hash), height)
  }

  async hasBlock(height: bigint): Promise<boolean> {
    const info = await this.#rpc.call('getblockchaininfo')
    const first = field(info, 'pruneheight')
    return field(info, 'pruned') !== true || (typeof first === 'number' && height >= BigInt(first))
  }

  async transaction(txId: string): Promise<ChainTransaction | null> {
    const outcome = await this.#rpc.outcome('getrawtransaction', hashOf(txId), 1)
    if (!outcome.ok && outcome.error.code === NOT_FOUND) return null
    const answer = resultOf(outcome, 'getrawtransaction')
    const raw = readRawTransaction(hexBytes(field(answer, 'hex')), txId)
    const blockHash = field(answer, 'blockhash')
    const block = blockHash === undefined ? null : await headerOf(this.#rpc, hashOf(blockHash))
    // The index keeps what a block that left the chain held, whether or not it waits again.
    if (blockHash !== undefined && block === null && !(await this.#waits(txId))) return null
    return this.#whole(raw, block)
  }

  async rawTransaction(txId: string): Promise<Uint8Array | null> {
    const outcome = await this.#rpc.outcome('getrawtransaction', hashOf(txId), 0)
    if (!outcome.ok && outcome.error.code === NOT_FOUND) return null
    return rawTransactionOf(String(resultOf(outcome, 'getrawtransaction')), txId)
  }

  async history({ script }: WatchedScript, { from, to }: HeightRange): Promise<readonly ChainTransaction[]> {
    const found: ChainTransaction[] = []
    for await (const { block, transactions } of blocksOf(this.#rpc, from, to)) {
      for (const raw of transactions) if (touches(raw, script)) found.push(await this.#whole(raw, block))
    }
    return found
  }

  wholeBlocks({ from, to }: HeightRange): AsyncIterable<WholeBlock> {
    return blocksOf(this.#rpc, from, to)
  }

  mempool(known: ReadonlySet<string>): Promise<MempoolReading> {
    return this.#mempool.since(known)
  }

  async waitingSpends(): Promise<null> {
    return null
  }

  async waiting({ script }: WatchedScript): Promise<readonly ChainTransaction[]> {
    const found = (await this.#mempool.read()).filter((raw) => touches(raw, script))
    const whole: ChainTransaction[] = []
    for (let at = 0; at < found.length; at += WAITING_AT_ONCE) {
      const some = found.slice(at, at + WAITING_AT_ONCE).map((raw) => this.#wholeWaiting(raw))
      whole.push(...(await Promise.all(some)).flatMap((transaction) => transaction ?? []))
    }
    return whole
  }

  async coins(watched: WatchedScript): Promise<readonly Coin[]> {
    const [coins = []] = await this.coinsOf([watched])
    return coins
  }

  async coinsOf(watched: readonly WatchedScript[]): Promise<readonly (readonly Coin[])[]> {
    const scripts = new Map(watched.map(({ script }) => [scriptKey(script), script]))
    const settled = await this.#scan(watched)
    const waiting = (await this.#mempool.read()).flatMap((raw) =>
      raw.outputs.flatMap(({ script: paid, value }, index): Coin[] => {
        const script = scripts.get(scriptKey(paid))
        return script === undefined ? [] : [{ txId: raw.id, index, value, script, height: null }]
      }),
    )
    const coins = coinsByScript(await this.#unspent([...settled, ...waiting]))
    return watched.map(({ script }) => coins.get(scriptKey(script)) ?? [])
  }

  async balance(watched: WatchedScript): Promise<bigint> {
    const [balance = 0n] = await this.balances([watched])
    return balance
  }

  async balances(watched: readonly WatchedScript[]): Promise<readonly bigint[]> {
    const coins = coinsByScript(await this.#scan(watched))
    return watched.map(({ script }) => (coins.get(scriptKey(script)) ?? []).reduce((sum, { value }) => sum + value, 0n))
  }

  async spend({ txId, index }: Outpoint, since: bigint): Promise<Spend | null> {
    const [withMempool, inBlocks] = await this.#rpc.batch(
      [true, false].map((mempool) => ({ method: 'gettxout', params: [hashOf(txId), index, mempool] })),
    )
    if (withMempool === undefined || inBlocks === undefined) throw strangeAnswer('no answer')
    if (resultOf(withMempool, 'gettxout') !== null) return null
    const waiting = (await this.#mempool.read()).find((raw) => spends(raw, { txId, index }))
    if (waiting !== undefined) return { txId: waiting.id, confirmations: 0n }
    // Unspent in blocks: whoever spent it has just left the mempool.
    return resultOf(inBlocks, 'gettxout') === null ? this.#search.find({ txId, index }, since) : null
  }

  async holds({ txId, index }: Outpoint): Promise<boolean> {
    const output = await this.#rpc.call('gettxout', hashOf(txId), index, true)
    return output !== null && wholeOf(field(output, 'confirmations')) > 0
  }

  async descendantFees(txId: string): Promise<bigint> {
    const outcome = await this.#rpc.outcome('getmempoolentry', hashOf(txId))
    if (!outcome.ok && outcome.error.code === NOT_FOUND) return 0n
    const fees = field(resultOf(outcome, 'getmempoolentry'), 'fees')
    return bitcoinsOf(field(fees, 'descendant')) - bitcoinsOf(field(fees, 'modified'))
  }

  async feeRate(target: number): Promise<FeeRate | null> {
    const [estimate, mempool] = await this.#rpc.batch([
      { method: 'estimatesmartfee', params: [target] },
      { method: 'getmempoolinfo', params: [] },
    ])
    if (estimate === undefined || mempool === undefined) throw strangeAnswer('no answer')
    const told = resultOf(estimate, 'estimatesmartfee')
    // Estimates for more blocks than asked are possible.
    const blocks = field(told, 'blocks') ?? target
    const rate = isForSoon(wholeOf(blocks), target) ? field(told, 'feerate') : undefined
    // What a full mempool takes at least, whatever is estimated.
    const least = bitcoinsOf(field(resultOf(mempool, 'getmempoolinfo'), 'mempoolminfee'))
    if (rate === undefined) return least > RELAY_RATE ? least : null
    return larger(bitcoinsOf(rate), least)
  }

  async broadcast(raw: Hex): Promise<BroadcastResult> {
    const outcome = await this.#rpc.outcome('sendrawtransaction', raw.slice(2))
    return outcome.ok ? accepted(outcome.result, raw) : readRefusal(outcome.error.message)
  }

  async lack(): Promise<string | null> {
    const index = field(await this.#rpc.call('getindexinfo'), 'txindex')
    if (index === undefined) return 'has no index of transactions (txindex)'
    return field(index, 'synced') === true ? null : 'is still building its index of transactions (txindex)'
  }

  limits(): Promise<readonly NodeRestriction[]> {
    return this.#rpc.limits(NEEDED, { method: 'getblockhash', params: [0] })
  }

  close(): void {
    this.#rpc.close()
  }

  /** Coins in blocks, those that a waiting transaction spends too. */
  async #scan(watched: readonly WatchedScript[]): Promise<readonly Coin[]> {
    if (watched.length === 0) return []
    const scripts = new Map(watched.map(({ script }) => [scriptKey(script), script]))
    const descriptors = [...new Set(watched.map(({ address }) => `addr(${address})`))]
    const scan = await this.#rpc.call('scantxoutset', 'start', descriptors)
    return listOf(field(scan, 'unspents')).map((coin) => {
      const script = scripts.get(scriptKey(hexBytes(field(coin, 'scriptPubKey'))))
      if (script === undefined) throw strangeAnswer('a coin that was not asked for')
      return {
        txId: hashOf(field(coin, 'txid')),
        index: wholeOf(field(coin, 'vout')),
        value: bitcoinsOf(field(coin, 'amount')),
        script,
        height: BigInt(wholeOf(field(coin, 'height'))),
        coinbase: field(coin, 'coinbase') === true,
      }
    })
  }

  async #waits(txId: string): Promise<boolean> {
    const outcome = await this.#rpc.outcome('getmempoolentry', txId)
    if (!outcome.ok && outcome.error.code === NOT_FOUND) return false
    resultOf(outcome, 'getmempoolentry')
    return true
  }

  /** Null for one that left the mempool meanwhile: what it spends may have left with it. */
  async #wholeWaiting(raw: RawTransaction): Promise<ChainTransaction | null> {
    try {
      return await this.#whole(raw, null)
    } catch (error) {
      if (await this.#waits(raw.id)) throw error
      return null
    }
  }

  /**
   * The transaction with what its inputs spend. A node that cannot tell that is of no use: it would show change of our own as a
   * stranger's payment.
   */
  async #whole(raw: RawTransaction, block: BlockRef | null): Promise<ChainTransaction> {
    const spent = await this.#spentBy(raw)
    const inputs = raw.inputs.map((input) => {
      const { outpoint } = input
      if (outpoint === null) return { ...input, previous: null }
      const previous = spent.get(outpointText(outpoint))
      if (previous === undefined) throw strangeAnswer('a transaction without what it spends')
      return { ...input, previous }
    })
    return {
      id: raw.id,
      inputs,
      outputs: raw.outputs,
      block: block === null ? null : { height: block.height, hash: block.hash, time: block.time },
    }
  }

  /** Outputs that a transaction spends; of the transactions that made them, each perhaps as long as a block, few are held at once. */
  async #spentBy(raw: RawTransaction): Promise<ReadonlyMap<string, ChainOutput>> {
    const outpoints = new Map<string, Outpoint[]>()
    for (const { outpoint } of raw.inputs) {
      if (outpoint === null) continue
      const known = outpoints.get(outpoint.txId)
      if (known === undefined) outpoints.set(outpoint.txId, [outpoint])
      else known.push(outpoint)
    }
    const ids = [...outpoints.keys()]
    const spent = new Map<string, ChainOutput>()
    for (let at = 0; at < ids.length; at += PARENTS_AT_ONCE) {
      const part = ids.slice(at, at + PARENTS_AT_ONCE)
      const outcomes = await this.#rpc.batch(part.map((id) => ({ method: 'getrawtransaction', params: [id, 0] })))
      for (const [place, id] of part.entries()) {
        const outcome = outcomes[place]
        const outputs = outcome?.ok ? readRawTransaction(hexBytes(outcome.result), id).outputs : []
        for (const outpoint of outpoints.get(id) ?? []) {
          const output = outputs[outpoint.index]
          if (output !== undefined) spent.set(outpointText(outpoint), output)
        }
      }
    }
    return spent
  }

  async #unspent(coins: readonly Coin[]): Promise<readonly Coin[]> {
    const outcomes = await this.#rpc.batch(
      coins.map(({ txId, index }) => ({ method: 'gettxout', params: [txId, index, true] })),
    )
    return coins.filter((_, at) => resultOf(outcomes[at], 'gettxout') !== null)
  }
}

const scriptKey = (script: Uint8Array): string => Buffer.from(script).toString('hex')

const coinsByScript = (coins: readonly Coin[]): ReadonlyMap<string, readonly Coin[]> => {
  const found = new Map<string, Coin[]>()
  for (const coin of coins) {
    const key = scriptKey(coin.script)
    const known = found.get(key)
    if (known === undefined) found.set(key, [coin])
    else known.push(coin)
  }
  return found
}
