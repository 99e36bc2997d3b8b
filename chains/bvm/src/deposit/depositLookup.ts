import { ServiceError } from '@causeway/core'
import type { BlockRef, TxRef } from '@causeway/core/chain'
import {
  type ChainReading,
  DepositLookup,
  type DepositLookupDeps,
  EVIDENCE_WORDS,
  type EvidenceWords,
  type TransactionReading,
  UNSEEN,
} from '@causeway/core/chain-kit'
import type { DepositReaderDeps } from '../read/watch/depositReader.js'
import type { BitcoinSource } from '../rpc/bitcoinSource.js'
import type { SourceEndpoint, SourcePool } from '../rpc/sourcePool.js'
import { depositEvent } from './depositEvent.js'
import { readDeposits } from './readDeposits.js'

const WORDS: EvidenceWords = {
  ...EVIDENCE_WORDS,
  unknown: 'No node knows the transaction',
  pending: 'The transaction waits in the mempool again',
  other: 'The transaction does not make this deposit',
}

export interface BvmLookupDeps extends Pick<DepositReaderDeps, 'rules' | 'watched'> {
  readonly pool: SourcePool
  readonly monitor: DepositLookupDeps<SourceEndpoint>['monitor']
  readonly settle: number
}

/** Deposits and transactions by their ids; those in the mempool are known, and confirmed by nobody. */
export const bvmDepositLookup = (deps: BvmLookupDeps): DepositLookup<SourceEndpoint> => {
  const { pool, monitor, settle } = deps
  return new DepositLookup({
    pool,
    monitor,
    settle,
    words: WORDS,
    read: (txs, endpoint) => (endpoint ?? pool).ask((source) => readTransactions(source, idsOf(txs), deps)),
    remembers: (height, endpoint) => endpoint.ask((source) => source.hasBlock(height)),
    hold: (blocks, endpoint) =>
      endpoint.ask((source) =>
        Promise.all(
          blocks.map(async ({ height, hash }) => {
            const block = await source.blockAt(height)
            return block === null ? endpoint.lateness !== 'none' : block.hash === hash
          }),
        ),
      ),
  })
}

const readTransactions = async (
  source: BitcoinSource,
  ids: readonly string[],
  deps: BvmLookupDeps,
): Promise<ChainReading> => {
  // First, so that a deposit in any block up to there is known to the node when it is asked for it.
  const { height: tip } = await source.tip()
  const transactions = await Promise.all(ids.map(async (id) => [id, await readingOf(source, id, deps)] as const))
  return { tip, complete: tip, transactions: new Map(transactions) }
}

const readingOf = async (
  source: BitcoinSource,
  id: string,
  { rules, watched }: BvmLookupDeps,
): Promise<TransactionReading> => {
  const transaction = await source.transaction(id)
  if (transaction === null) return UNSEEN
  const read = readDeposits(transaction, rules)
  const block = await ownBlock(source, transaction.block)
  const deposits = read.map((deposit) =>
    depositEvent({ transaction: { ...transaction, block }, deposit }, watched.address),
  )
  const leastConfirmations = read[0]?.leastConfirmations ?? 0n
  return { status: block === null ? 'pending' : 'success', block, deposits, leastConfirmations }
}

/** A node may know a transaction of a block that left its chain; one that lacks what it named cannot tell. */
const ownBlock = async (source: BitcoinSource, named: BlockRef | null): Promise<BlockRef | null> => {
  if (named === null) return null
  const own = await source.blockAt(named.height)
  if (own !== null) return own.hash === named.hash ? named : null
  throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lacks a block. Try again later.')
}

const idsOf = (txs: readonly TxRef[]): readonly string[] => txs.map(({ id }) => id)
