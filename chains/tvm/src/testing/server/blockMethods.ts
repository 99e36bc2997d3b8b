import { retOf, type TronBlock } from '../engine/tronTx.js'
import { transactionJson } from '../wire/transactionJson.js'
import { blockJson, millisecondsOf, transactionInfo } from './answers.js'
import type { Methods, Params } from './params.js'
import type { TronView } from './tronView.js'

/** Blocks that `getblockbylimitnext` and `getblockbylatestnum` list at most. */
const MOST_BLOCKS = 99

/** Methods that read blocks and transactions; what the node does not have is an empty object. */
export const blockMethods = (node: TronView): Methods => {
  const json = (block: TronBlock | null, { visible }: Params, withTransactions = true) =>
    block === null ? {} : blockJson(block, visible, withTransactions)
  const range = (first: number, count: number, params: Params) => {
    const listed = Math.min(Math.max(count, 0), node.view.limit(MOST_BLOCKS, MOST_BLOCKS))
    const found = Array.from({ length: listed }, (_, at) => node.block(first + at)).filter((block) => block !== null)
    return found.length === 0 ? {} : { block: found.map((block) => json(block, params)) }
  }
  return {
    getnowblock: (params) => json(node.head, params),
    getblock: (params) => {
      const asked = params.text('id_or_num')
      const block = /^\d{1,15}$/.test(asked)
        ? node.block(Number(asked))
        : asked === ''
          ? node.head
          : node.blockWith(asked)
      return json(block, params, params.text('detail') === 'true')
    },
    getblockbynum: (params) => json(node.block(params.number('num')), params),
    getblockbyid: (params) => json(node.blockWith(params.text('value')), params),
    getblockbylimitnext: (params) => {
      const first = params.number('startNum')
      return range(first, params.number('endNum') - first, params)
    },
    getblockbylatestnum: (params) => {
      const count = params.number('num')
      return range(node.height - count + 1, count, params)
    },
    gettransactionbyid: (params) => {
      const found = node.find(params.text('value'))
      return found === null ? {} : transactionJson(found.tx, params.visible, retOf(found.tx))
    },
    gettransactioninfobyid: (params) => {
      const found = node.find(params.text('value'))
      return found === null ? {} : transactionInfo(found.tx, found.block)
    },
    // A block without transactions, and one that the node does not have, is an object and no list (data/tvm/facts.json).
    gettransactioninfobyblocknum: (params) => {
      const block = node.block(params.number('num'))
      if (block === null || block.transactions.length === 0) return {}
      return block.transactions.map((tx) => transactionInfo(tx, block))
    },
    gettransactioncountbyblocknum: (params) => ({ count: node.block(params.number('num'))?.transactions.length ?? -1 }),
    getnodeinfo: () => {
      const { settings, blocks } = node.ledger
      const solid = Math.max(blocks.first, node.view.head.height - settings.solidityLag)
      const named = (height: number) => `Num:${height},ID:${node.view.header(height)?.hash ?? ''}`
      return {
        ...{ beginSyncNum: node.view.since, block: named(node.view.head.height), solidityBlock: named(solid) },
        ...{ currentConnectCount: 0, activeConnectCount: 0, passiveConnectCount: 0, peerList: [] },
        configNodeInfo: { codeVersion: '4.8.0', p2pVersion: '11111', dbVersion: 2 },
        machineInfo: {},
        cheatWitnessInfoMap: {},
      }
    },
    getchainparameters: () => ({
      chainParameter: Object.entries(node.ledger.parameters).map(([key, value]) => ({ key, value })),
    }),
    getenergyprices: () => ({ prices: `0:${node.ledger.parameters.getEnergyFee}` }),
    getbandwidthprices: () => ({ prices: `0:${node.ledger.parameters.getTransactionFee}` }),
    getnextmaintenancetime: () => ({ num: millisecondsOf(node.view.head) + 6 * 3600 * 1000 }),
    listwitnesses: () => ({ witnesses: [] }),
    listnodes: () => ({ nodes: [] }),
  }
}
