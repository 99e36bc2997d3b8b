import type { Block } from '../engine/ledgerTx.js'
import { need } from '../engine/refusal.js'
import type { Exchange, Routes } from './exchange.js'
import { placedJson } from './txJson.js'

/** Status of a block that is verified. */
const VERIFIED = 3

const blockJson = (exchange: Exchange, block: Block) => ({
  ...{ commitment: block.hash, height: block.height, state_root: block.hash, priority_operations: 0 },
  ...{ committed_at: block.time * 1000, verified_at: block.time * 1000, status: VERIFIED },
  txs: block.transactions.map((tx) => placedJson(exchange, { tx, block })),
  size: block.transactions.length,
})

/** Calls about blocks, assets and the exchange. */
export const blockRoutes = (exchange: Exchange): Routes => ({
  currentHeight: () => ({ height: exchange.view.head.height }),
  block: ({ params }) => {
    const byHeight = params.by('height', 'commitment') === 'height'
    const { view } = exchange
    const block = byHeight ? view.block(params.integer('value')) : view.blockWith(params.text('value'))
    need(block !== null, 'blockNotFound')
    return { total: 1, blocks: [blockJson(exchange, block)] }
  },
  assetDetails: ({ params }) => {
    const asked = params.optional('asset_id', 255, 0)
    const listed = exchange.ledger.assets.all.filter(({ id }) => asked === 0 || id === asked)
    need(listed.length > 0, 'invalidAsset')
    return {
      asset_details: listed.map(({ id, symbol, decimals }) => ({
        asset_id: id,
        symbol,
        decimals,
        l1_decimals: decimals,
      })),
    }
  },
  status: () => ({
    ...{ status: 200, network_id: exchange.ledger.chainId, timestamp: exchange.ledger.blocks.now },
  }),
  info: () => ({ contract_address: `0x${exchange.ledger.blocks.block(1)?.hash.slice(0, 40)}` }),
})
