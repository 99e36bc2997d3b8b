import { CallError } from '@causeway/core/testing'
import type { MinedBlock } from '../chain/chain.js'
import { coreTransaction, placeAnswer } from './coreAnswers.js'
import { hashOf } from './rpcParams.js'
import type { View, ViewedTransaction } from './view.js'

const UNKNOWN_WITH_INDEX = 'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.'
const UNKNOWN_WITHOUT_INDEX =
  'No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries. ' +
  'Use gettransaction for wallet transactions.'
const NOT_IN_BLOCK = 'No such transaction found in the provided block. Use gettransaction for wallet transactions.'

/** The parameters of `getrawtransaction`, unchecked. */
export interface RawQuery {
  readonly txid: unknown
  readonly verbosity: unknown
  readonly hash: unknown
}

/** The answer of `getrawtransaction`. @throws CallError -5, -8 */
export const rawTransaction = (view: View, txIndex: boolean, query: RawQuery) => {
  const { viewed, block } = lookUp(view, txIndex, query)
  const level = query.verbosity === true ? 1 : Number(query.verbosity ?? 0)
  if (level === 0) return viewed.entry.tx.toHex()
  const active = block === undefined ? {} : { in_active_chain: view.node.chain.includes(block) }
  return { ...active, ...coreTransaction(viewed.entry, level === 2 ? 'inputs' : 'plain'), ...placeAnswer(view, viewed) }
}

const lookUp = (
  view: View,
  txIndex: boolean,
  { txid, hash }: RawQuery,
): { viewed: ViewedTransaction; block?: MinedBlock } => {
  const id = hashOf(txid)
  if (hash !== undefined && hash !== null) {
    const block = view.blockOf(hashOf(hash, 3))
    if (block === undefined) throw new CallError(-5, 'Block hash not found')
    if (block.height < view.prunedBelow) throw new CallError(-1, 'Block not available')
    const at = block.transactions.findIndex((one) => one.txid === id)
    const entry = view.hidden.has(id) ? undefined : block.transactions[at]
    if (entry === undefined) throw new CallError(-5, NOT_IN_BLOCK)
    return { viewed: { entry, block, at }, block }
  }
  const viewed = view.find(id) ?? (txIndex ? indexed(view, id) : undefined)
  if (viewed === undefined || (!txIndex && viewed.block !== null)) {
    throw new CallError(-5, txIndex ? UNKNOWN_WITH_INDEX : UNKNOWN_WITHOUT_INDEX)
  }
  return { viewed }
}

/** The index of transactions keeps those of blocks that left the chain. */
const indexed = (view: View, id: string): ViewedTransaction | undefined => {
  const place = view.hidden.has(id) ? undefined : view.node.chain.leftPlaceOf(id)
  const entry = place?.block.transactions[place.at]
  return place === undefined || entry === undefined ? undefined : { entry, ...place }
}
