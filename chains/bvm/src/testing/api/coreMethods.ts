import { CallError } from '@causeway/core/testing'
import type { MinedBlock } from '../chain/chain.js'
import type { FeeRates } from '../mempool/feeRates.js'
import { decodeTransaction } from '../node/broadcast.js'
import { coreBlock, headerAnswer, mempoolEntry, unspentOutput } from './coreAnswers.js'
import { btc } from './coreJson.js'
import { send, tested } from './coreSending.js'
import { rawTransaction } from './rawTransaction.js'
import { hashOf, listOf, numberOf, textOf } from './rpcParams.js'
import { scanCoins } from './scanCoins.js'
import type { View } from './view.js'

/** A method with its positional parameters, unchecked. @throws CallError */
export type CoreMethod = (...params: readonly unknown[]) => unknown

/** How the node was set up. */
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
  getrawtransaction: (txid, verbosity, hash) => rawTransaction(view, options.txIndex, { txid, verbosity, hash }),
  gettxout: (txid, vout, mempool = true) => unspentOutput(view, hashOf(txid), numberOf(vout, 2), mempool === true),
  testmempoolaccept: (list, maxFeeRate) => listOf(list).map((hex) => tested(view, String(hex), maxFeeRate)),
  sendrawtransaction: (hex, maxFeeRate) => send(view, decodeTransaction(textOf(hex, 1)), maxFeeRate),
  estimatesmartfee: (blocks) => estimate(fees, numberOf(blocks, 1)),
  scantxoutset: (action, items) => {
    if (action === 'start') return scanCoins(view, listOf(items))
    if (action === 'abort') return false
    if (action === 'status') return null
    throw new CallError(-8, `Invalid action '${String(action)}'`)
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
    pruned: view.prunedBelow > 0,
    ...(view.prunedBelow > 0 ? { pruneheight: view.prunedBelow, automatic_pruning: false } : {}),
    warnings: [],
  }),
  getblockcount: () => view.height,
  getbestblockhash: () => view.tip.hash,
  getblockhash: (height) => {
    const block = view.blockAt(numberOf(height, 1))
    if (block === undefined) throw new CallError(-8, 'Block height out of range')
    return block.hash
  },
  getblockheader: (hash, verbose = true) => {
    const mined = blockOf(view, hash)
    return verbose === false ? mined.block.toHex(true) : headerAnswer(view, mined)
  },
  getblock: (hash, verbosity = 1) => {
    const mined = blockOf(view, hash)
    if (mined.height < view.prunedBelow) throw new CallError(-1, 'Block not available (pruned data)')
    const level = verbosity === true ? 1 : verbosity === false ? 0 : numberOf(verbosity, 2)
    return level <= 0 ? mined.block.toHex() : coreBlock(view, mined, level)
  },
})

const mempoolMethods = (view: View): Readonly<Record<string, CoreMethod>> => ({
  getrawmempool: (verbose = false) => {
    const waiting = view.waiting()
    if (verbose !== true) return waiting.map(({ entry }) => entry.txid)
    return Object.fromEntries(waiting.map((viewed) => [viewed.entry.txid, mempoolEntry(view, viewed)]))
  },
  getmempoolentry: (txid) => {
    const viewed = view.find(hashOf(txid))
    if (viewed === undefined || viewed.block !== null) throw new CallError(-5, 'Transaction not in mempool')
    return mempoolEntry(view, viewed)
  },
  getmempoolinfo: () => {
    const { mempoolMinFeeRate, policy } = view.node
    const entries = view.waiting().map(({ entry }) => entry)
    return {
      loaded: true,
      size: entries.length,
      bytes: entries.reduce((sum, { vsize }) => sum + vsize, 0),
      total_fee: btc(entries.reduce((sum, { fee }) => sum + fee, 0n)),
      maxmempool: 300_000_000,
      mempoolminfee: btc(mempoolMinFeeRate),
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
      const waiting = spender !== undefined && spender.viewed.block === null
      return { txid: id, vout: at, ...(waiting ? { spendingtxid: spender.viewed.entry.txid } : {}) }
    }),
})

const estimate = (fees: FeeRates, blocks: number) => {
  if (blocks < 1 || blocks > 1008) throw new CallError(-8, 'Invalid conf_target, must be between 1 and 1008')
  const found = fees.for(blocks)
  if (found === undefined) return { errors: ['Insufficient data or no feerate found'], blocks }
  return { feerate: btc(found.rate), blocks: found.blocks }
}

const blockOf = (view: View, hash: unknown): MinedBlock => {
  const block = view.blockOf(hashOf(hash))
  if (block === undefined) throw new CallError(-5, 'Block not found')
  return block
}
