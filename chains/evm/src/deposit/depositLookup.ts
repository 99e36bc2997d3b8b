import type { BlockRef, DepositEvent, TxRef } from '@causeway/core/chain'
import {
  DepositLookup,
  type DepositLookupDeps,
  EVIDENCE_WORDS,
  type EvidenceWords,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type RpcCall,
  type RpcOutcome,
  resultOf,
  type TransactionReading,
} from '@causeway/core/chain-kit'
import { headOf } from '../rpc/headSource.js'
import { hasBlock } from '../rpc/prunedBlocks.js'
import { hasFailed, hasSucceeded } from '../rpc/receipts.js'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../rpc/wire.js'
import { askInHalves, blockCall, missing } from './readDeposits.js'
import { recogniseDeposits } from './recognise.js'

/** Blocks on a deposit after which a node that does not show it denies it, and is not just late. */
const DENIAL_DEPTH = 5

const WORDS: EvidenceWords = {
  ...EVIDENCE_WORDS,
  source: 'receipt',
  unknown: 'No canonical block holds the transaction',
  pending: 'No canonical block holds the transaction',
  failed: 'The transaction reverted',
  present: 'The transaction is in a canonical block',
}

export interface EvmLookupDeps {
  readonly rpc: JsonRpcClient
  readonly monitor: DepositLookupDeps<JsonRpcEndpoint>['monitor']
  readonly depository: string
  readonly settle: number
}

/** What one node says about a transaction; `block` is null unless the block it names is on the node's chain. */
export interface RawReading {
  readonly receipt: RpcReceipt | null
  readonly tx: RpcTransaction | null
  readonly block: BlockRef | null
  readonly deposits: readonly DepositEvent[]
}

export type Ask = (calls: readonly RpcCall[]) => Promise<readonly RpcOutcome[]>

/**
 * Two batches: the tip, receipts and transactions, then the blocks they name, to be sure these are canonical.
 * @throws ServiceError when the node does not answer, or lacks a receipt or a block that it names itself
 */
export const readTransactions = async (
  ids: readonly string[],
  ask: Ask,
  depository: string,
): Promise<{ readonly tip: bigint; readonly readings: ReadonlyMap<string, RawReading> }> => {
  const calls = ids.flatMap((id) => [
    { method: 'eth_getTransactionReceipt', params: [id] },
    { method: 'eth_getTransactionByHash', params: [id] },
  ])
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const [tip, ...first] = await askInHalves([latest, ...calls], ask)
  const pairs = ids.map((id, at) => ({
    id,
    receipt: first[2 * at] as RpcReceipt | null,
    tx: first[2 * at + 1] as RpcTransaction | null,
  }))
  if (pairs.some(({ receipt, tx }) => receipt === null && isMined(tx))) missing()
  const heights = [...new Set(pairs.flatMap(({ receipt }) => (receipt === null ? [] : [BigInt(receipt.blockNumber)])))]
  const found = await blocksAt(heights, ask)
  const blocks = new Map(found.map((block) => [(block ?? missing()).hash, block]))
  const readings = pairs.map(({ id, receipt, tx }) => {
    const block = receipt === null ? null : (blocks.get(receipt.blockHash.toLowerCase()) ?? null)
    const whole = receipt !== null && tx !== null && block !== null
    const deposits = whole ? recogniseDeposits(receipt, tx, depository, block) : []
    return [id, { receipt, tx, block, deposits }] as const
  })
  return { tip: headOf(tip as RpcBlock).height, readings: new Map(readings) }
}

/** Whether a node says that a transaction is in a block, so that it must have its receipt. */
export const isMined = (tx: RpcTransaction | null): boolean => (tx?.blockNumber ?? null) !== null

const blocksAt = async (heights: readonly bigint[], ask: Ask): Promise<readonly (BlockRef | null)[]> => {
  const outcomes = await ask(heights.map(blockCall))
  return heights.map((_, at) => {
    const block = resultOf<RpcBlock | null>(outcomes[at], 'eth_getBlockByNumber')
    if (block === null) return null
    const { height, hash, time } = headOf(block)
    return { height, hash, time }
  })
}

const readingOf = ({ receipt, tx, block, deposits }: RawReading): TransactionReading => {
  const pending = { status: tx === null ? 'unknown' : 'pending', block: null, deposits } as const
  if (receipt === null || block === null) return pending
  if (hasSucceeded(receipt)) return { status: 'success', block, deposits }
  // A node that does not tell has not said that it failed.
  return hasFailed(receipt) ? { status: 'failure', block, deposits } : pending
}

/** Deposits and transactions by their receipts. */
export const evmDepositLookup = ({ rpc, monitor, depository, settle }: EvmLookupDeps): DepositLookup<JsonRpcEndpoint> =>
  new DepositLookup({
    pool: rpc,
    monitor,
    settle,
    words: WORDS,
    read: async (txs, endpoint) => {
      const { tip, readings } = await readTransactions(
        idsOf(txs),
        (calls) => (endpoint ?? rpc).batch(calls),
        depository,
      )
      const transactions = new Map([...readings].map(([id, reading]) => [id, readingOf(reading)]))
      return { tip, complete: tip - BigInt(Math.min(settle, DENIAL_DEPTH)), transactions }
    },
    remembers: (height, endpoint) => hasBlock(endpoint, height),
    hold: async (blocks, endpoint) => {
      const heights = blocks.map(({ height }) => height)
      const own = await blocksAt(heights, (calls) => endpoint.batch(calls))
      return blocks.map(({ hash }, at) => (own[at] ? own[at].hash === hash : endpoint.lateness !== 'none'))
    },
  })

const idsOf = (txs: readonly TxRef[]): readonly string[] => txs.map(({ id }) => id)
