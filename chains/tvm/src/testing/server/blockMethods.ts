import { retOf, type TronBlock } from '../engine/tronTx.js'
import { transactionJson } from '../wire/transactionJson.js'
import { blockJson, transactionInfo } from './answers.js'
import type { Methods, Params } from './params.js'
import type { TronView } from './tronView.js'

/** Blocks that `getblockbylimitnext` lists at most. */
const MOST_BLOCKS = 99

/** Methods that read blocks and transactions; what the node does not have is an empty object. */
export const blockMethods = (node: TronView): Methods => {
  const json = (block: TronBlock | null, { visible }: Params, withTransactions = true) =>
    block === null ? {} : blockJson(block, visible, withTransactions)
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
      const count = Math.min(Math.max(params.number('endNum') - first, 0), node.view.limit(MOST_BLOCKS, MOST_BLOCKS))
      const found = Array.from({ length: count }, (_, at) => node.block(first + at)).filter((block) => block !== null)
      return found.length === 0 ? {} : { block: found.map((block) => json(block, params)) }
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
    getchainparameters: () => ({
      chainParameter: Object.entries(node.ledger.parameters).map(([key, value]) => ({ key, value })),
    }),
  }
}
