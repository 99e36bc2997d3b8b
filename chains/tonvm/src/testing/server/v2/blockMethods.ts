import type { TonBlock } from '../../engine/tonTx.js'
import { type BlockName, liteserverError, SHARD, type TonView } from '../tonView.js'
import type { Params } from './params.js'

export type Method = (params: Params) => unknown

const GLOBAL_ID = -239
const MOST_TRANSACTIONS = 1000

export const blockIdJson = ({ workchain, shard, seqno, rootHash, fileHash }: BlockName) => ({
  ...{ '@type': 'ton.blockIdExt', workchain, shard, seqno },
  ...{ root_hash: rootHash, file_hash: fileHash },
})

/** The block that a call names. @throws CallError if the node does not have it */
const named = (node: TonView, params: Params): { readonly block: TonBlock; readonly workchain: number } => {
  const workchain = Number(params.required('workchain'))
  if (String(params.integer('shard')) !== SHARD) throw liteserverError('shard not in db')
  return { workchain, block: node.workchainBlock(workchain, Number(params.required('seqno'))) }
}

const headerJson = (node: TonView, block: TonBlock, workchain: number) => {
  const parent = block.height === 0 ? [] : [blockIdJson(node.nameOf(node.block(block.height - 1), workchain))]
  return {
    '@type': 'blocks.header',
    id: blockIdJson(node.nameOf(block, workchain)),
    ...{ global_id: GLOBAL_ID, version: 0, flags: 1, vert_seqno: 1, is_key_block: false, prev_key_block_seqno: 0 },
    ...{ after_merge: false, after_split: false, before_split: false, want_merge: true, want_split: false },
    ...{ validator_list_hash_short: 0, catchain_seqno: 0, min_ref_mc_seqno: block.height },
    ...{ start_lt: String(block.startLt), end_lt: String(block.endLt), gen_utime: block.time, prev_blocks: parent },
  }
}

const shortJson = ({ account, lt, hash }: TonBlock['transactions'][number]) => ({
  ...{ '@type': 'blocks.shortTxId', mode: 135, account, lt: String(lt) },
  hash: Buffer.from(hash, 'hex').toString('base64'),
})

export const blockMethods = (node: TonView): Readonly<Record<string, Method>> => ({
  getMasterchainInfo: () => ({
    '@type': 'blocks.masterchainInfo',
    last: blockIdJson(node.nameOf(node.head)),
    state_root_hash: node.nameOf(node.head).fileHash,
    init: blockIdJson({ ...node.nameOf(node.ledger.blocks.block(0) ?? node.head), seqno: 0 }),
  }),
  shards: (params) => {
    const block = node.block(Number(params.required('seqno')))
    return { '@type': 'blocks.shards', shards: [blockIdJson(node.nameOf(block, 0))] }
  },
  lookupBlock: (params) => {
    const workchain = Number(params.required('workchain'))
    const [lt, time] = [params.integer('lt'), params.number('unixtime')]
    const byTime = (block: TonBlock) => (lt === undefined ? block.time >= Number(time) : block.endLt >= lt)
    const isIndexed = lt !== undefined || time !== undefined
    return blockIdJson(node.nameOf(isIndexed ? node.firstBlock(byTime) : named(node, params).block, workchain))
  },
  getBlockHeader: (params) => {
    const { block, workchain } = named(node, params)
    return headerJson(node, block, workchain)
  },
  getBlockTransactions: (params) => {
    const { block, workchain } = named(node, params)
    const count = node.view.limit(params.number('count') ?? 40, MOST_TRANSACTIONS)
    const afterLt = params.integer('after_lt') ?? 0n
    const left = block.transactions.filter((tx) => tx.workchain === workchain && tx.lt > afterLt)
    return {
      '@type': 'blocks.transactions',
      id: blockIdJson(node.nameOf(block, workchain)),
      req_count: count,
      incomplete: left.length > count,
      transactions: left.slice(0, count).map(shortJson),
    }
  },
  getConsensusBlock: () => ({ consensus_block: node.head.height, timestamp: node.head.time }),
})
