import type { Transaction } from 'bitcoinjs-lib'
import { broadcast, decodeTransaction, RpcFailure } from './broadcast.js'
import type { MinedBlock } from './chain.js'
import { coreBlock, coreTransaction, headerAnswer, mempoolEntry, placeAnswer, unspentOutput } from './coreAnswers.js'
import { btc, satoshisOf } from './coreJson.js'
import type { FeeRates } from './feeRates.js'
import { feeAt } from './policy.js'
import { MISSING_INPUTS, Refusal } from './refusal.js'
import { scanCoins } from './scanCoins.js'
import type { Sight, View } from './view.js'

const UNKNOWN_WITH_INDEX = 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.'
const UNKNOWN_WITHOUT_INDEX =
  'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries. ' +
  'Use gettransaction for wallet transactions.'
/** The dearest rate a node sends for its user, unless told: 0.1 BTC per 1,000 virtual bytes. */
const MAX_FEE_RATE = 10_000_000n

export type CoreMethod = (...params: readonly unknown[]) => unknown

export interface CoreOptions {
  /** Whether mined transactions are found without their block (default true). */
  readonly txIndex: boolean
}

/** The methods of Bitcoin Core that an adapter calls. */
export const coreMethods = (
  view: View,
  fees: FeeRates,
  options: CoreOptions,
): Readonly<Record<string, CoreMethod>> => ({
  ...chainMethods(view),
  ...mempoolMethods(view),
  getrawtransaction: (txid, verbosity, hash) => rawTransaction(view, options, { txid, verbosity, hash }),
  gettxout: (txid, vout, mempool = true) => unspentOutput(view, hashOf(txid), numberOf(vout, 2), mempool === true),
  testmempoolaccept: (list, maxFeeRate) => listOf(list).map((hex) => tested(view, String(hex), maxFeeRate)),
  sendrawtransaction: (hex, maxFeeRate) => send(view, decodeTransaction(textOf(hex, 1)), maxFeeRate),
  estimatesmartfee: (blocks) => estimate(fees, numberOf(blocks, 1)),
  scantxoutset: (action, items) => {
    if (action === 'start') return scanCoins(view, listOf(items))
    if (action === 'abort') return false
    if (action === 'status') return null
    throw new RpcFailure(-8, `Invalid action '${String(action)}'`)
  },
  getnetworkinfo: () => ({
    version: 280100,
    subversion: '/Satoshi:28.1.0/',
    protocolversion: 70016,
    localrelay: true,
    networkactive: true,
    connections: 8,
    relayfee: btc(view.node.policy.minRelayFeeRate),
    incrementalfee: btc(view.node.policy.incrementalFeeRate),
    warnings: [],
  }),
  getindexinfo: () => (options.txIndex ? { txindex: { synced: true, best_block_height: view.height } } : {}),
})

const chainMethods = (view: View): Readonly<Record<string, CoreMethod>> => ({
  getblockchaininfo: () => ({
    chain: 'regtest',
    blocks: view.height,
    headers: view.node.chain.height,
    bestblockhash: view.tip.hash,
    difficulty: 4.6565423739069247e-10,
    time: view.tip.block.timestamp,
    mediantime: view.node.chain.medianTime(view.height),
    verificationprogress: 1,
    initialblockdownload: false,
    pruned: false,
    warnings: [],
  }),
  getblockcount: () => view.height,
  getbestblockhash: () => view.tip.hash,
  getblockhash: (height) => {
    const block = view.blockAt(numberOf(height, 1))
    if (block === undefined) throw new RpcFailure(-8, 'Block height out of range')
    return block.hash
  },
  getblockheader: (hash, verbose = true) => {
    const mined = blockOf(view, hash)
    return verbose === false ? mined.block.toHex(true) : headerAnswer(view, mined)
  },
  getblock: (hash, verbosity = 1) => {
    const mined = blockOf(view, hash)
    const level = verbosity === true ? 1 : verbosity === false ? 0 : numberOf(verbosity, 2)
    return level <= 0 ? mined.block.toHex() : coreBlock(view, mined, level)
  },
})

const mempoolMethods = (view: View): Readonly<Record<string, CoreMethod>> => ({
  getrawmempool: (verbose = false) => {
    const waiting = view.waiting()
    if (verbose !== true) return waiting.map(({ entry }) => entry.txid)
    return Object.fromEntries(waiting.map((sight) => [sight.entry.txid, mempoolEntry(view, sight)]))
  },
  getmempoolentry: (txid) => {
    const sight = view.find(hashOf(txid))
    if (sight === undefined || sight.block !== null) throw new RpcFailure(-5, 'Transaction not in mempool')
    return mempoolEntry(view, sight)
  },
  getmempoolinfo: () => {
    const { mempoolMinFeeRate, policy } = view.node
    const entries = view.waiting().map(({ entry }) => entry)
    const floor = mempoolMinFeeRate > policy.minRelayFeeRate ? mempoolMinFeeRate : policy.minRelayFeeRate
    return {
      loaded: true,
      size: entries.length,
      bytes: entries.reduce((sum, { vsize }) => sum + vsize, 0),
      total_fee: btc(entries.reduce((sum, { fee }) => sum + fee, 0n)),
      maxmempool: 300_000_000,
      mempoolminfee: btc(floor),
      minrelaytxfee: btc(policy.minRelayFeeRate),
      incrementalrelayfee: btc(policy.incrementalFeeRate),
      unbroadcastcount: 0,
      fullrbf: policy.fullRbf,
    }
  },
  gettxspendingprevout: (list) =>
    listOf(list).map((item) => {
      // CAST: both fields are checked before use.
      const { txid, vout } = (item ?? {}) as { readonly txid?: unknown; readonly vout?: unknown }
      const [id, at] = [hashOf(txid), numberOf(vout, 1)]
      const spender = view.spenderOf(id, at)
      const waiting = spender !== undefined && spender.sight.block === null
      return { txid: id, vout: at, ...(waiting ? { spendingtxid: spender.sight.entry.txid } : {}) }
    }),
})

interface RawQuery {
  readonly txid: unknown
  readonly verbosity: unknown
  readonly hash: unknown
}

const rawTransaction = (view: View, { txIndex }: CoreOptions, query: RawQuery) => {
  const { sight, block } = lookUp(view, txIndex, query)
  const level = query.verbosity === true ? 1 : Number(query.verbosity ?? 0)
  if (level === 0) return sight.entry.tx.toHex()
  const active = block === undefined ? {} : { in_active_chain: view.node.chain.includes(block) }
  return { ...active, ...coreTransaction(sight.entry, level === 2 ? 'inputs' : 'plain'), ...placeAnswer(view, sight) }
}

const lookUp = (view: View, txIndex: boolean, { txid, hash }: RawQuery): { sight: Sight; block?: MinedBlock } => {
  const id = hashOf(txid)
  if (hash !== undefined && hash !== null) {
    const block = view.blockOf(hashOf(hash, 3))
    if (block === undefined) throw new RpcFailure(-5, 'Block hash not found')
    const at = block.transactions.findIndex((one) => one.txid === id)
    const entry = view.hidden.has(id) ? undefined : block.transactions[at]
    if (entry === undefined) {
      throw new RpcFailure(
        -5,
        'No such transaction found in the provided block. Use gettransaction for wallet transactions.',
      )
    }
    return { sight: { entry, block, at }, block }
  }
  const sight = view.find(id)
  if (sight === undefined || (!txIndex && sight.block !== null)) {
    throw new RpcFailure(-5, txIndex ? UNKNOWN_WITH_INDEX : UNKNOWN_WITHOUT_INDEX)
  }
  return { sight }
}

const tested = (view: View, hex: string, maxFeeRate: unknown) => {
  const tx = decodeTransaction(hex)
  const txid = tx.getId()
  try {
    const { fee, vsize, wtxid } = view.node.judge(tx)
    if (isTooDear(fee, vsize, maxFeeRate)) return { txid, wtxid, allowed: false, 'reject-reason': 'max-fee-exceeded' }
    const rate = btc((fee * 1000n) / BigInt(vsize))
    const fees = { base: btc(fee), 'effective-feerate': rate, 'effective-includes': [wtxid] }
    return { txid, wtxid, allowed: true, vsize, fees }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reason = error.reason === MISSING_INPUTS ? 'missing-inputs' : error.reason
    const wtxid = Buffer.from(tx.getHash(true)).reverse().toString('hex')
    return { txid, wtxid, allowed: false, 'reject-reason': reason, 'reject-details': error.message }
  }
}

const send = (view: View, tx: Transaction, maxFeeRate: unknown): string => {
  const dear = isTooDearFor(view, tx, maxFeeRate)
  if (dear) throw new RpcFailure(-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)')
  return broadcast(view.node, tx)
}

/** What breaks a rule is left to be refused for that. */
const isTooDearFor = (view: View, tx: Transaction, maxFeeRate: unknown): boolean => {
  try {
    const { fee, vsize } = view.node.judge(tx)
    return isTooDear(fee, vsize, maxFeeRate)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A limit of 0 is none. */
const isTooDear = (fee: bigint, vsize: number, maxFeeRate: unknown): boolean => {
  const limit = maxFeeRate === undefined || maxFeeRate === null ? MAX_FEE_RATE : satoshisOf(maxFeeRate)
  if (limit === undefined) throw new RpcFailure(-3, 'Amount is not a number or string')
  return limit !== 0n && fee > feeAt(limit, vsize)
}

const estimate = (fees: FeeRates, blocks: number) => {
  if (blocks < 1 || blocks > 1008) throw new RpcFailure(-8, 'Invalid conf_target, must be between 1 and 1008')
  const found = fees.for(blocks)
  if (found === undefined) return { errors: ['Insufficient data or no feerate found'], blocks }
  return { feerate: btc(found.rate), blocks: found.blocks }
}

const blockOf = (view: View, hash: unknown): MinedBlock => {
  const block = view.blockOf(hashOf(hash))
  if (block === undefined) throw new RpcFailure(-5, 'Block not found')
  return block
}

const textOf = (value: unknown, position: number): string => {
  if (typeof value === 'string') return value
  throw new RpcFailure(
    -3,
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value is not of expected type string"\n}`,
  )
}

const numberOf = (value: unknown, position: number): number => {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw new RpcFailure(
    -3,
    `Wrong type passed:\n{\n    "Position ${position}": "JSON value is not of expected type number"\n}`,
  )
}

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new RpcFailure(-3, 'Expected type array')
}

const hashOf = (value: unknown, position = 1): string => {
  const text = textOf(value, position)
  if (text.length !== 64) {
    throw new RpcFailure(-8, `parameter ${position} must be of length 64 (not ${text.length}, for '${text}')`)
  }
  if (!/^[0-9a-f]*$/i.test(text)) {
    throw new RpcFailure(-8, `parameter ${position} must be hexadecimal string (not '${text}')`)
  }
  return text.toLowerCase()
}
