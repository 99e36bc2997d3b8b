import {
  type BlockRef,
  type ClaimedDeposit,
  confirmByProviders,
  type DepositEvidence,
  type DepositTestimony,
  isClaimed,
  ServiceError,
  type TxRef,
} from '@causeway/core'
import { readDeposit } from '../deposit/readDeposit.js'
import type { BitcoinSource } from '../source/bitcoinSource.js'
import type { SourceEndpoint } from '../source/sourceEndpoint.js'
import type { SourceMonitor } from '../source/sourceMonitor.js'
import type { SourcePool } from '../source/sourcePool.js'
import { depositEvent } from './depositEvent.js'
import type { DepositReaderDeps } from './depositReader.js'

export interface LookupDeps extends DepositReaderDeps {
  readonly pool: SourcePool
}

interface Place {
  readonly tx: TxRef
  readonly position: number
}

const look = async (source: BitcoinSource, txId: string, { rules }: DepositReaderDeps) => {
  const transaction = await source.transaction(txId)
  if (transaction === null) return null
  const deposit = readDeposit(transaction, rules)
  return { transaction, sight: deposit === null ? null : { transaction, deposit } }
}

/**
 * Where stored deposits are now. One node's silence is not believed while another one still shows the deposit in a block, nor a
 * block that is not in the chain of every node that answers: one of them may not know yet of the branch that was rewound to.
 * @throws ServiceError SERVICE_UNAVAILABLE while the nodes differ, or fewer than two answer where two are configured
 */
export const recheckDeposits = async (
  places: readonly Place[],
  deps: LookupDeps,
): Promise<readonly DepositEvidence[]> => {
  const seen = await lookEverywhere(places, deps)
  await requireSameBlocks(seen)
  return places.map((place, at) => {
    const sights = seen.map(({ looks }) => looks[at] ?? null)
    const shown = sights.find((sight) => sight?.transaction.block) ?? sights.find((sight) => sight !== null)
    return evidenceOf(place, shown ?? null, deps)
  })
}

type Look = Awaited<ReturnType<typeof look>>

/** What one node says of each place. */
interface Seen {
  readonly endpoint: SourceEndpoint
  readonly looks: readonly Look[]
}

const lookEverywhere = async (places: readonly Place[], deps: LookupDeps): Promise<readonly Seen[]> => {
  const { pool } = deps
  const answers = await Promise.allSettled(
    pool.ordered().map(async (endpoint) => {
      const ask = (source: BitcoinSource) => Promise.all(places.map(({ tx }) => look(source, tx.id, deps)))
      return { endpoint, looks: await endpoint.ask(ask) }
    }),
  )
  const seen = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (new Set(seen.map(({ endpoint }) => endpoint.provider)).size < Math.max(1, Math.min(2, pool.providerCount))) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this chain answer. Try again later.')
  }
  return seen
}

/** A node that is known to be behind may not have a block yet; any other one must show it. */
const requireSameBlocks = async (seen: readonly Seen[]): Promise<void> => {
  const all = seen.flatMap(({ looks }) => looks.flatMap((sight) => sight?.transaction.block ?? []))
  const blocks = [...new Map(all.map((block) => [block.hash, block])).values()]
  const isThere = async (source: BitcoinSource, { height, hash }: BlockRef, lagging: boolean) => {
    const block = await source.blockAt(height)
    return block === null ? lagging : block.hash === hash
  }
  const words = await Promise.all(
    seen.map(({ endpoint }) =>
      endpoint.ask((source) => Promise.all(blocks.map((block) => isThere(source, block, endpoint.lagging)))),
    ),
  )
  if (words.flat().every((there) => there)) return
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The nodes of this chain differ on its newest blocks. Try again later.')
}

const evidenceOf = (place: Place, seen: Look, deps: LookupDeps): DepositEvidence => {
  const shared = { tx: place.tx, position: place.position, source: 'transaction' }
  const block = seen?.transaction.block ?? null
  if (seen === null || block === null) {
    const reason = seen === null ? 'No node knows the transaction' : 'The transaction waits in the mempool again'
    return { ...shared, finding: 'missing', reason }
  }
  const facts = { ...shared, blockNumber: block.height, blockHash: block.hash, receiptStatus: 'success' }
  return seen.sight === null || place.position !== 0
    ? { ...facts, finding: 'missing', reason: 'The transaction does not make this deposit' }
    : {
        ...facts,
        finding: 'present',
        deposit: depositEvent(seen.sight, deps.watched.address),
        reason: 'The transaction is in a block',
      }
}

/** State of one transaction, with the order id of the deposit it makes. */
export const findTransaction = async (tx: TxRef, deps: LookupDeps) => {
  const seen = await deps.pool.ask((source) => look(source, tx.id, deps))
  const block: BlockRef | null = seen?.transaction.block ?? null
  const orderId = seen?.sight?.deposit.orderId ?? null
  const depositOrderIds = orderId === null ? [] : [orderId]
  if (seen === null) return { status: 'unknown' as const, block, depositOrderIds }
  return { status: block === null ? ('pending' as const) : ('success' as const), block, depositOrderIds }
}

export interface ConfirmDeps extends LookupDeps {
  readonly monitor: Pick<SourceMonitor, 'report' | 'caughtLying'>
}

/**
 * True when `agreeing` trusted providers show the same deposit, each as deep by its own head as is asked for and as a coinbase
 * needs; none is trusted out of the mempool. Throws ServiceError when fewer than that answer.
 */
export const confirmDeposit = (
  claim: ClaimedDeposit,
  { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  deps: ConfirmDeps,
): Promise<boolean> =>
  confirmByProviders(
    claim,
    agreeing,
    (endpoint: SourceEndpoint) => endpoint.ask((source) => testify(source, claim, BigInt(confirmations), deps)),
    { rpc: deps.pool, monitor: deps.monitor },
  )

const testify = async (
  source: BitcoinSource,
  claim: ClaimedDeposit,
  confirmations: bigint,
  deps: ConfirmDeps,
): Promise<DepositTestimony> => {
  // First, so that a deposit in any block up to there is known to the node when it is asked for it.
  const { height: complete } = await source.tip()
  const denies = { height: null, confirms: false, complete }
  const seen = await look(source, claim.tx.id, deps)
  const block = seen?.transaction.block ?? null
  if (block === null || !seen?.sight || claim.position !== 0) return denies
  if (!isClaimed(depositEvent(seen.sight, deps.watched.address), claim)) return denies
  // A node may know a transaction of a block that left its chain.
  if ((await source.blockAt(block.height))?.hash !== block.hash) return denies
  const depth = complete - block.height + 1n
  const { leastConfirmations } = seen.sight.deposit
  return { height: block.height, confirms: depth >= confirmations && depth >= leastConfirmations, complete }
}
