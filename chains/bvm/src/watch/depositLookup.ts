import {
  type BlockRef,
  type ClaimedDeposit,
  type DepositEvidence,
  isClaimed,
  ServiceError,
  type TxRef,
} from '@causeway/core'
import { type ConfirmationTier, confirmationsFor } from '../confirmations.js'
import { readDeposit } from '../deposit/readDeposit.js'
import type { BitcoinSource } from '../source/bitcoinSource.js'
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

/** Where stored deposits are now. One node's silence is not believed while another one still shows the deposit in a block. */
export const recheckDeposits = (places: readonly Place[], deps: LookupDeps): Promise<readonly DepositEvidence[]> =>
  Promise.all(places.map((place) => recheck(place, deps)))

const recheck = async (place: Place, deps: LookupDeps): Promise<DepositEvidence> => {
  const shared = { tx: place.tx, position: place.position, source: 'transaction' }
  let seen = await deps.pool.ask((source) => look(source, place.tx.id, deps))
  for (const endpoint of deps.pool.ordered()) {
    if (seen !== null && seen.transaction.block !== null) break
    seen = (await endpoint.ask((source) => look(source, place.tx.id, deps)).catch(() => null)) ?? seen
  }
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
  readonly tiers: readonly ConfirmationTier[]
}

/**
 * Asks every trusted provider; true when `agreeing` of them show the same deposit, each as deep by its own head as is asked for,
 * as its amount demands, and as a coinbase needs. Throws ServiceError when fewer than that answer.
 */
export const confirmDeposit = async (
  claim: ClaimedDeposit,
  { agreeing, confirmations = 1 }: { readonly agreeing: number; readonly confirmations?: number },
  deps: ConfirmDeps,
): Promise<boolean> => {
  const needed = confirmationsFor(claim.money.amount, deps.tiers, BigInt(confirmations))
  const answers = await Promise.allSettled(
    deps.pool.providers.map((endpoint) => endpoint.ask((source) => confirms(source, claim, needed, deps))),
  )
  const testimonies = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (testimonies.length >= agreeing) return testimonies.filter((yes) => yes).length >= agreeing
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Too few nodes of this chain answer to trust a deposit. Try again later.',
  )
}

const confirms = async (
  source: BitcoinSource,
  claim: ClaimedDeposit,
  needed: bigint,
  deps: ConfirmDeps,
): Promise<boolean> => {
  const seen = await look(source, claim.tx.id, deps)
  const block = seen?.transaction.block ?? null
  if (block === null || !seen?.sight || claim.position !== 0) return false
  // A node may know a transaction of a block that left its chain.
  if ((await source.blockAt(block.height))?.hash !== block.hash) return false
  const { leastConfirmations } = seen.sight.deposit
  const depth = (await source.tip()).height - block.height + 1n
  const enough = depth >= needed && depth >= leastConfirmations
  return enough && isClaimed(depositEvent(seen.sight, deps.watched.address), claim)
}
