import { CallError, RawReply, type RestRoutes } from '@causeway/core/testing'
import type { MinedBlock } from '../chain/chain.js'
import { scriptOf } from '../chain/scriptForms.js'
import type { FeeRates } from '../mempool/feeRates.js'
import { broadcast, decodeTransaction } from '../node/broadcast.js'
import {
  addressAnswer,
  blockAnswer,
  outspendAnswer,
  statusAnswer,
  transactionAnswer,
  unspentAnswer,
} from './esploraAnswers.js'
import type { View, ViewedTransaction } from './view.js'

const PAGE = 25
const WAITING_PAGE = 50

/** The routes of Esplora by method and path; `:x` stands for one piece. */
export const esploraRoutes = (view: View, fees: FeeRates): RestRoutes => {
  const text = (value: string | number) => new RawReply(String(value), 'text/plain')
  return {
    'GET /blocks/tip/height': () => text(view.height),
    'GET /blocks/tip/hash': () => text(view.tip.hash),
    'GET /blocks': () => newestBlocks(view, view.height),
    'GET /blocks/:start': ([start = '']) => newestBlocks(view, Number(start)),
    'GET /block-height/:height': ([height = '']) => text(blockAt(view, Number(height)).hash),
    'GET /block/:hash': ([hash = '']) => blockAnswer(view, blockOf(view, hash)),
    'GET /block/:hash/status': ([hash = '']) => blockStatus(view, blockOf(view, hash)),
    'GET /block/:hash/header': ([hash = '']) => text(blockOf(view, hash).block.toHex(true)),
    'GET /block/:hash/raw': ([hash = '']) =>
      new RawReply(blockOf(view, hash).block.toBuffer(), 'application/octet-stream'),
    'GET /block/:hash/txids': ([hash = '']) => blockOf(view, hash).transactions.map(({ txid }) => txid),
    'GET /block/:hash/txs': ([hash = '']) => blockPage(blockOf(view, hash), 0),
    'GET /block/:hash/txs/:start': ([hash = '', start = '']) => blockPage(blockOf(view, hash), Number(start)),
    'GET /tx/:txid': ([txid = '']) => transactionAnswer(viewedOf(view, txid)),
    'GET /tx/:txid/hex': ([txid = '']) => text(viewedOf(view, txid).entry.tx.toHex()),
    'GET /tx/:txid/status': ([txid = '']) => statusOf(view, txid),
    'GET /tx/:txid/outspends': ([txid = '']) =>
      viewedOf(view, txid).entry.tx.outs.map((_, vout) => outspendAnswer(view, txid, vout)),
    'GET /tx/:txid/outspend/:vout': ([txid = '', vout = '']) => outspendAnswer(view, txid, Number(vout)),
    'GET /address/:address': ([address = '']) => addressAnswer(view, { address }, script(address)),
    'GET /address/:address/utxo': ([address = '']) => unspentAnswer(view, script(address)),
    'GET /address/:address/txs': ([address = '']) => [
      ...waitingPage(view, address),
      ...chainPage(view.minedOf(script(address))),
    ],
    'GET /address/:address/txs/mempool': ([address = '']) => waitingPage(view, address),
    'GET /address/:address/txs/chain': ([address = '']) => chainPage(view.minedOf(script(address))),
    'GET /address/:address/txs/chain/:last': ([address = '', last = '']) =>
      chainPage(view.minedOf(script(address)), last),
    'GET /mempool': () => mempoolAnswer(view),
    'GET /mempool/txids': () => view.waiting().map(({ entry }) => entry.txid),
    'GET /mempool/recent': () => view.waiting().slice(-10).reverse().map(recentAnswer),
    'GET /fee-estimates': () => Object.fromEntries(fees.all().map(([blocks, rate]) => [blocks, Number(rate) / 1000])),
    'POST /tx': (_, { body }) => text(send(view, body)),
  }
}

const TXID = /^[0-9a-f]{64}$/i

const viewedOf = (view: View, txid: string): ViewedTransaction => {
  if (!TXID.test(txid)) throw new CallError(400, 'Invalid hex string')
  const viewed = view.find(txid.toLowerCase())
  if (viewed === undefined) throw new CallError(404, 'Transaction not found')
  return viewed
}

/** Esplora says of a transaction it does not know that it is not confirmed. */
const statusOf = (view: View, txid: string) => {
  if (!TXID.test(txid)) throw new CallError(400, 'Invalid hex string')
  const viewed = view.find(txid.toLowerCase())
  return viewed === undefined ? { confirmed: false } : statusAnswer(viewed)
}

const blockOf = (view: View, hash: string): MinedBlock => {
  if (!TXID.test(hash)) throw new CallError(400, 'Invalid hex string')
  const block = view.blockOf(hash.toLowerCase())
  if (block === undefined) throw new CallError(404, 'Block not found')
  return block
}

const blockAt = (view: View, height: number): MinedBlock => {
  const block = view.blockAt(height)
  if (block === undefined) throw new CallError(404, 'Block not found')
  return block
}

const blockStatus = (view: View, block: MinedBlock) => {
  if (!view.node.chain.includes(block)) return { in_best_chain: false }
  return { in_best_chain: true, height: block.height, next_best: view.blockAt(block.height + 1)?.hash ?? null }
}

const newestBlocks = (view: View, start: number) =>
  Array.from({ length: 10 }, (_, at) => view.blockAt(start - at)).flatMap((block) =>
    block === undefined ? [] : [blockAnswer(view, block)],
  )

const blockPage = (block: MinedBlock, start: number) => {
  if (!Number.isInteger(start) || start % PAGE !== 0) {
    throw new CallError(400, 'start index must be a multipication of 25')
  }
  if (start >= block.transactions.length) throw new CallError(400, 'start index out of range')
  return block.transactions.slice(start, start + PAGE).map((entry, at) => transactionAnswer({ entry, block, at }))
}

const script = (address: string): Uint8Array => {
  try {
    return scriptOf(address)
  } catch {
    throw new CallError(400, 'Invalid Bitcoin address')
  }
}

const waitingPage = (view: View, address: string) =>
  view.waitingOf(script(address)).slice(0, WAITING_PAGE).map(transactionAnswer)

/** A page of what is mined, newest first, after the transaction seen last. */
const chainPage = (viewed: readonly ViewedTransaction[], last?: string) => {
  const from = last === undefined ? 0 : viewed.findIndex(({ entry }) => entry.txid === last) + 1
  if (last !== undefined && from === 0) throw new CallError(404, 'Transaction not found')
  return viewed.slice(from, from + PAGE).map(transactionAnswer)
}

const mempoolAnswer = (view: View) => {
  const entries = view.waiting().map(({ entry }) => entry)
  const vsize = entries.reduce((sum, entry) => sum + entry.vsize, 0)
  const fee = entries.reduce((sum, entry) => sum + entry.fee, 0n)
  return { count: entries.length, vsize, total_fee: Number(fee), fee_histogram: [] }
}

const recentAnswer = ({ entry }: ViewedTransaction) => ({
  txid: entry.txid,
  fee: Number(entry.fee),
  vsize: entry.vsize,
  value: Number(entry.tx.outs.reduce((sum, { value }) => sum + value, 0n)),
})

/** Passes a transaction on as Esplora does: to the node behind it, whose error it shows. */
const send = (view: View, body: string): string => {
  try {
    return broadcast(view.node, decodeTransaction(body.trim()))
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const { code, message } = error
    throw new CallError(400, `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`)
  }
}
