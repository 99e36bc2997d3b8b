import { ServiceError } from '@causeway/core'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { askBlock, type Block, refOf } from '../rpc/blocks.js'
import { askInfo, askInfos, askInfosOf, askTransaction } from '../rpc/transactionInfos.js'
import type { TronNode } from '../rpc/tronNode.js'
import { type TronTransaction, transactionOf } from './transactions.js'

/** A transaction with the number of logs that its block holds before its own. */
export interface SourceTransaction extends TronTransaction {
  readonly logsBefore: number
}

const logsIn = (infos: readonly { readonly log?: readonly unknown[] | undefined }[]): number =>
  infos.reduce((sum, { log }) => sum + (log?.length ?? 0), 0)

/** Transactions of a block with their results. */
export const transactionsIn = async (node: TronNode, block: Block): Promise<readonly SourceTransaction[]> => {
  const infos = await askInfosOf(node, block.height, block.transactions)
  let logsBefore = 0
  return block.transactions.flatMap((json, at) => {
    const info = infos[at]
    if (info === undefined) return []
    const transaction = { ...transactionOf(json, info, refOf(block)), logsBefore }
    logsBefore += info.log?.length ?? 0
    return [transaction]
  })
}

/** A transaction by its id with its block; null where no block of the node has it. @throws ServiceError */
export const findTransaction = async (node: TronNode, id: string): Promise<TronTransaction | null> => {
  const [json, info] = await Promise.all([askTransaction(node, id), askInfo(node, id)])
  if (json === null || info === null) return null
  if (json.txID !== id || info.id !== id) throw strangeAnswer('another transaction')
  const block = await askBlock(node, BigInt(info.blockNumber ?? 0))
  if (block !== null) return transactionOf(json, info, refOf(block))
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain lacks the block of a transaction.')
}

/** The same with the place of its logs, for which the results of its block are read. */
export const findWithLogs = async (node: TronNode, id: string): Promise<SourceTransaction | null> => {
  const found = await findTransaction(node, id)
  if (found === null || found.logs.length === 0) return found === null ? null : { ...found, logsBefore: 0 }
  const infos = await askInfos(node, found.block.height)
  const own = infos.findIndex((info) => info.id === id)
  if (own < 0) throw strangeAnswer('a block without its transaction')
  return { ...found, logsBefore: logsIn(infos.slice(0, own)) }
}
