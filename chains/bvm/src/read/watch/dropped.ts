import { hearProviders, leastAnswers } from '@causeway/core/chain-kit'
import type { BitcoinSource } from '../../rpc/bitcoinSource.js'
import type { SourcePool } from '../../rpc/sourcePool.js'
import { type Conflict, findConflict } from './conflict.js'
import type { Candidate } from './cursor.js'

/** Blocks after which a transaction that no node shows is given up: two weeks, as nodes do. */
const EXPIRY_BLOCKS = 2016n

/** A transaction that was seen waiting: what it spends, and the tip when it was seen. */
export type Missed = Pick<Candidate, 'txId' | 'spent' | 'since'>

/** What one node says of a deposit that has left another node's mempool. */
interface DropVote {
  readonly shows: boolean
  readonly expired: boolean
  readonly conflict: Conflict | null
}

/** One node's vote; a conflict is not looked for while the node shows the transaction. */
export const voteOf = async (source: BitcoinSource, candidate: Missed): Promise<DropVote> => {
  const { height } = await source.tip()
  if ((await source.transaction(candidate.txId)) !== null) return { shows: true, expired: false, conflict: null }
  const expired = height - candidate.since > EXPIRY_BLOCKS
  return { shows: false, expired, conflict: expired ? null : await findConflict(source, candidate) }
}

/** Whether what the node that is read shows no more can be given up; without a pool on that node's word. */
export const isGivenUp = async (
  source: BitcoinSource,
  candidate: Missed,
  pool?: Pick<SourcePool, 'providers' | 'providerCount'>,
): Promise<boolean> => {
  const vote = await voteOf(source, candidate)
  if (vote.shows || (!vote.expired && vote.conflict === null)) return false
  return pool === undefined ? vote.expired || areEnough([vote], 1) : isDropped(candidate, pool)
}

/**
 * Whether a deposit can be given up: no trusted provider shows it, and all say that it is too old, or one shows a block whose
 * transaction spends what it spends, or two show one that waits. Two must answer where two are configured.
 */
export const isDropped = async (
  candidate: Missed,
  pool: Pick<SourcePool, 'providers' | 'providerCount'>,
): Promise<boolean> => {
  const needed = leastAnswers(pool)
  const votes = await hearProviders(pool, (endpoint) => endpoint.ask((source) => voteOf(source, candidate)))
  if (votes.length < needed || votes.some(({ shows }) => shows)) return false
  return votes.every(({ expired }) => expired) || areEnough(votes, needed)
}

/** A conflict in a block, or as many that wait as are needed. */
export const areEnough = (votes: readonly DropVote[], needed: number): boolean => {
  const conflicts = votes.flatMap(({ conflict }) => conflict ?? [])
  return conflicts.some(({ confirmations }) => confirmations > 0n) || (needed > 0 && conflicts.length >= needed)
}
