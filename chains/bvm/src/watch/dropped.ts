import { hearProviders, leastAnswers } from '@causeway/core/chain-kit'
import type { BitcoinSource } from '../source/bitcoinSource.js'
import type { SourcePool } from '../source/sourcePool.js'
import { type Conflict, findConflict } from './conflict.js'
import type { Candidate } from './cursor.js'

/** Blocks after which a transaction that no node shows is given up: two weeks, as nodes do. */
const EXPIRY_BLOCKS = 2016n

/** What one node says of a deposit that has left another node's mempool. */
interface Word {
  readonly shows: boolean
  readonly expired: boolean
  readonly conflict: Conflict | null
}

/** One node's word; a conflict is not looked for while the node shows the transaction. */
export const wordOf = async (source: BitcoinSource, candidate: Candidate): Promise<Word> => {
  const { height } = await source.tip()
  if ((await source.transaction(candidate.txId)) !== null) return { shows: true, expired: false, conflict: null }
  const expired = height - candidate.since > EXPIRY_BLOCKS
  return { shows: false, expired, conflict: expired ? null : await findConflict(source, candidate) }
}

/**
 * Whether a deposit can be given up: no trusted provider shows it, and all say that it is too old, or one shows a block whose
 * transaction spends what it spends, or two show one that waits. Two must answer where two are configured.
 */
export const isDropped = async (
  candidate: Candidate,
  pool: Pick<SourcePool, 'providers' | 'providerCount'>,
): Promise<boolean> => {
  const needed = leastAnswers(pool)
  const words = await hearProviders(pool, (endpoint) => endpoint.ask((source) => wordOf(source, candidate)))
  if (words.length < needed || words.some(({ shows }) => shows)) return false
  return words.every(({ expired }) => expired) || areEnough(words, needed)
}

/** A conflict in a block, or as many that wait as are needed. */
export const areEnough = (words: readonly Word[], needed: number): boolean => {
  const conflicts = words.flatMap(({ conflict }) => conflict ?? [])
  return conflicts.some(({ confirmations }) => confirmations > 0n) || (needed > 0 && conflicts.length >= needed)
}
