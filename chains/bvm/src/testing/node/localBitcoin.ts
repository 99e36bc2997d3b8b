import type { networks, Transaction } from 'bitcoinjs-lib'
import { accountNumber, type BitcoinAccount } from '../accounts.js'
import { serveBitcoin } from '../api/bitcoinServer.js'
import { controlMethods } from '../api/controlMethods.js'
import type { AmountStyle } from '../api/coreJson.js'
import { coreMethods } from '../api/coreMethods.js'
import { esploraRoutes } from '../api/esploraRoutes.js'
import { type BitcoinApi, type BitcoinFault, Faults } from '../api/faults.js'
import { View } from '../api/view.js'
import { REGTEST } from '../chain/regtest.js'
import { FeeRates } from '../mempool/feeRates.js'
import { DEFAULT_POLICY, type Policy } from '../mempool/policy.js'
import { broadcast, decodeTransaction } from './broadcast.js'
import { LocalNode, type MineOptions } from './localNode.js'
import { buildPayment, type PaidOutput, type PayOptions } from './localWallet.js'

const ACCOUNTS = 10
const MINER = 1_000
const FUNDED = 100_000_000n
/** Coins the miner can spend at the start, of 50 bitcoins each. */
const MATURE = 10

/** How the chain is to be. */
export interface LocalBitcoinOptions {
  /** Id in the configuration, which `adoptLedger` checks; 0 by default. */
  readonly chainId?: number
  /** 0 (default): any free one. */
  readonly port?: number
  /** How often a block with what waits is mined by itself; 0 (default): on demand only. */
  readonly blockMs?: number
  /** What the node relays and keeps; Bitcoin Core 28's own where nothing is said. */
  readonly policy?: Partial<Policy>
  /** Satoshis each account starts with at its p2wpkh address (default 100,000,000); 0n: none. */
  readonly funded?: bigint
  /** Whether JSON-RPC finds mined transactions without their block (default true). */
  readonly txIndex?: boolean
  readonly rpcAuth?: { readonly user: string; readonly password: string }
}

/** What another branch holds and what the old one loses. */
export interface ReorgOptions {
  /** In the first block of the new branch, parents first; they may spend what the old branch spent. */
  readonly transactions?: readonly (Transaction | string)[]
  /** Transactions that do not wait again: all, or these. */
  readonly drop?: 'all' | readonly string[]
}

/** A local Bitcoin chain of regtest's rules, which answers as Esplora and as Bitcoin Core do. */
export class LocalBitcoin {
  /** Esplora's REST. */
  readonly url: string
  /** Bitcoin Core's JSON-RPC. */
  readonly rpcUrl: string
  readonly network: networks.Network = REGTEST
  /** The same on every chain. */
  readonly accounts: readonly BitcoinAccount[]
  /** Earns the blocks and funds the others. */
  readonly miner: BitcoinAccount
  /** The node itself, for a test that looks inside. */
  readonly node: LocalNode
  readonly #parts: Parts
  readonly #close: () => Promise<void>

  constructor(parts: Parts, running: { readonly port: number; close(): Promise<void> }) {
    this.url = `http://127.0.0.1:${running.port}`
    this.rpcUrl = `${this.url}/rpc`
    this.accounts = parts.accounts
    this.miner = parts.miner
    this.node = parts.node
    this.#parts = parts
    this.#close = running.close
  }

  /** Pays an address, and mines that unless told otherwise. Returns the coin. */
  async fund(
    address: string,
    value: bigint,
    { mine = true }: { readonly mine?: boolean } = {},
  ): Promise<{ readonly txid: string; readonly vout: number }> {
    const txid = await this.pay(this.miner, [{ to: address, value }], { form: 'p2wpkh' })
    if (mine) await this.mine()
    return { txid, vout: 0 }
  }

  /** Builds and signs a payment, and keeps it back. @throws Error when the account holds too little */
  build(account: BitcoinAccount, outputs: readonly PaidOutput[], options: PayOptions = {}): Transaction {
    return buildPayment(this.node, account, outputs, options)
  }

  /** Builds, signs and sends; it waits for a block. Returns its id. @throws CallError as `send` */
  async pay(account: BitcoinAccount, outputs: readonly PaidOutput[], options: PayOptions = {}): Promise<string> {
    return this.send(this.build(account, outputs, options))
  }

  /** Sends a transaction to the mempool. Returns its id. @throws CallError with Core's code and text */
  async send(transaction: Transaction | string): Promise<string> {
    return broadcast(this.node, decoded(transaction))
  }

  /** Mines what waits, or chosen transactions. Returns the hashes. @throws Refusal when one breaks consensus */
  async mine(
    count = 1,
    options: Omit<MineOptions, 'transactions'> & { readonly transactions?: readonly (Transaction | string)[] } = {},
  ): Promise<readonly string[]> {
    const { transactions, ...rest } = options
    const chosen = transactions === undefined ? {} : { transactions: transactions.map(decoded) }
    return this.node.mine(count, { ...rest, ...chosen }).map(({ hash }) => hash)
  }

  /**
   * A branch one block longer takes the place of the newest blocks; what they held waits again where it still fits.
   * @throws Refusal when a chosen transaction breaks a rule of consensus; nothing has changed then
   */
  async reorg(depth: number, options: ReorgOptions = {}): Promise<void> {
    this.node.reorganize(depth, (options.transactions ?? []).map(decoded), isDropped(options.drop))
  }

  /** The block and all after it leave the chain, and nothing takes their place yet. @throws Error when it is not in it */
  async invalidate(hash: string, options: Pick<ReorgOptions, 'drop'> = {}): Promise<void> {
    const { chain } = this.node
    const block = chain.blockOf(hash)
    if (block === undefined || !chain.includes(block)) throw new Error(`block ${hash} is not in the chain`)
    this.node.rewind(chain.height - block.height + 1, isDropped(options.drop))
  }

  /** A waiting transaction is forgotten with all that spend from it, as when it grew too old. */
  async forget(txid: string): Promise<void> {
    this.node.mempool.evict(txid)
  }

  /** The fees a node recommends: satoshis per 1,000 virtual bytes by blocks to wait; `{}`: it knows too little. */
  async setFeeRates(rates: Readonly<Record<number, bigint>>): Promise<void> {
    this.#parts.fees.set(rates)
  }

  /** The mempool's floor, in satoshis per 1,000 virtual bytes; what waits below it goes, as from a full one. */
  async setMempoolMinFeeRate(rate: bigint): Promise<void> {
    this.node.mempoolMinFeeRate = rate
    const { entries } = this.node.mempool
    for (const { txid, fee, vsize } of [...entries.values()]) {
      if (fee * 1000n < rate * BigInt(vsize)) this.node.mempool.evict(txid)
    }
  }

  /** Answers as if it were so many blocks behind; 0 ends it. */
  async lag(blocks: number, api?: BitcoinApi): Promise<void> {
    for (const view of this.#views(api)) view.lag = blocks
  }

  /** Drops all but the newest blocks, with what they hold; 0 brings them back. */
  async prune(kept: number, api?: BitcoinApi): Promise<void> {
    for (const view of this.#views(api)) view.prunedBelow = kept === 0 ? 0 : view.height - kept + 1
  }

  /** Does not show a transaction; `shown` ends it. */
  async hide(txid: string, { shown = false, api }: { readonly shown?: boolean; readonly api?: BitcoinApi } = {}) {
    for (const view of this.#views(api)) {
      if (shown) view.hidden.delete(txid)
      else view.hidden.add(txid)
    }
  }

  /** Claims so many confirmations for a transaction, true or not; null ends it. */
  async claimConfirmations(txid: string, confirmations: number | null, api?: BitcoinApi): Promise<void> {
    for (const view of this.#views(api)) {
      if (confirmations === null) view.claimed.delete(txid)
      else view.claimed.set(txid, confirmations)
    }
  }

  /** How JSON-RPC writes amounts from now on. */
  async writeAmounts(style: AmountStyle): Promise<void> {
    this.#parts.faults.amountStyle = style
  }

  async failNext(fault: BitcoinFault): Promise<void> {
    this.#parts.faults.add(fault)
  }

  async clearFaults(): Promise<void> {
    this.#parts.faults.clear()
  }

  /** Calls so far, by method of Core (`getblock`) and route of Esplora (`GET /tx/:txid`). */
  async callCounts(): Promise<Readonly<Record<string, number>>> {
    return Object.fromEntries(this.#parts.faults.counts)
  }

  close(): Promise<void> {
    return this.#close()
  }

  #views(api?: BitcoinApi): readonly View[] {
    const { views } = this.#parts
    return api === undefined ? [views.esplora, views.rpc] : [views[api]]
  }
}

interface Parts {
  readonly node: LocalNode
  readonly miner: BitcoinAccount
  readonly accounts: readonly BitcoinAccount[]
  readonly fees: FeeRates
  readonly faults: Faults
  readonly views: Readonly<Record<BitcoinApi, View>>
}

/** Starts a local chain in this process. */
export const startLocalBitcoin = async (options: LocalBitcoinOptions = {}): Promise<LocalBitcoin> => {
  const { port = 0, blockMs = 0, policy = {}, funded = FUNDED, txIndex = true, rpcAuth, chainId = 0 } = options
  const parts = makeParts({ ...DEFAULT_POLICY, ...policy })
  const { node, miner, accounts, fees, faults, views } = parts
  const now = Math.floor(Date.now() / 1000)
  const first = node.policy.coinbaseMaturity + MATURE
  // Ten minutes apart, so that the newest is of now.
  for (let at = first; at > 0; at -= 1) node.mine(1, { time: now - at * 600 })
  const outputs = accounts.map(({ scripts }) => ({ to: scripts.p2wpkh, value: funded }))
  if (funded > 0n) node.mine(1, { transactions: [buildPayment(node, miner, outputs)] })
  const routes = esploraRoutes(views.esplora, fees)
  const methods = coreMethods(views.rpc, fees, { txIndex })
  const controls = controlMethods({ ...parts, chainId })
  const server = await serveBitcoin({ port, faults, routes, methods, controls, rpcAuth })
  const timer = blockMs > 0 ? setInterval(() => node.mine(1), blockMs) : undefined
  const close = () => {
    clearInterval(timer)
    return server.close()
  }
  return new LocalBitcoin(parts, { port: server.port, close })
}

const makeParts = (policy: Policy): Parts => {
  const miner = accountNumber(MINER)
  const node = new LocalNode(policy, miner.scripts.p2wpkh)
  return {
    node,
    miner,
    accounts: Array.from({ length: ACCOUNTS }, (_, at) => accountNumber(at)),
    fees: new FeeRates(),
    faults: new Faults(),
    views: { esplora: new View(node), rpc: new View(node) },
  }
}

const decoded = (transaction: Transaction | string): Transaction =>
  typeof transaction === 'string' ? decodeTransaction(transaction) : transaction

const isDropped =
  (drop: ReorgOptions['drop']) =>
  (txid: string): boolean =>
    drop === 'all' || (drop ?? []).includes(txid)
