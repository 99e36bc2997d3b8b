import type { LanePlace, LaneReading, OutgoingTransaction } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import { type ProviderReading, readAtProviders } from '../lane/readAtProviders.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import type { LaneSince, SentTransaction, SequenceChain } from './sequenceChain.js'
import { sequenceGuard } from './sequenceGuard.js'
import { isBeginning, positionJson, readPosition, type SequencePosition } from './sequencePosition.js'
import { nextOf } from './sequenceVerdict.js'

export interface ReadingDeps<Node> {
  readonly chain: Pick<SequenceChain<Node>, 'read' | 'list'>
  readonly pool: AskedProviders<Node>
  readonly strict: boolean
  /** Blocks before the journal's last one in which its transactions may still have landed: as many as may be replaced. */
  readonly settle: bigint
}

/**
 * The journal's last block is as high as a node said, which may have made it up: so many blocks more are read, which costs nothing where
 * there is nothing (faults.md F131).
 */
const MADE_UP = 64n

/** From where on a lane is read, and what its journal holds of that. */
interface ReadFrom {
  readonly since: LaneSince | null
  readonly position: SequencePosition | null
  /** The lowest number that has to be explained; absent: that of the position, or the lowest that is listed. */
  readonly first?: bigint
  isKnown(transaction: SentTransaction): boolean
}

/** What one provider shows of a lane. */
interface Reading extends ProviderReading<SentTransaction> {
  readonly next: bigint
}

/**
 * Compares the journal's position with the account's transactions as every trusted provider lists them, pending ones included: what
 * one leaves out another shows. Two must show all where two are configured.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readSequences = <Node>(
  account: string,
  stored: LanePlace | null,
  deps: ReadingDeps<Node>,
): Promise<LaneReading> => {
  if (stored === null) return read(account, { since: null, position: null, isKnown: () => true }, deps)
  const since = { height: larger(stored.sinceHeight - deps.settle - MADE_UP, 0n) }
  if (isBeginning(stored.position)) return read(account, { since, position: null, isKnown: () => false }, deps)
  const position = readPosition(stored.position)
  const isKnown = (transaction: SentTransaction) => isCounted(transaction, position, stored.sinceHeight, deps.strict)
  return read(account, { since, position, isKnown }, deps)
}

/** The same from a number on, of which nothing is taken for known: something that the journal lacks may have used one (faults.md F121). */
export const readSequencesFrom = <Node>(
  account: string,
  stored: LanePlace,
  sequence: bigint,
  deps: ReadingDeps<Node>,
): Promise<LaneReading> =>
  read(account, { since: { sequence }, position: readPosition(stored.position), isKnown: () => false }, deps)

/**
 * Whether the journal's position holds a transaction. In strict order a number below it may have been assigned again since, to be
 * used until another point, or after the journal's last block.
 */
const isCounted = (
  { sequence, until, block }: SentTransaction,
  position: SequencePosition,
  sinceHeight: bigint,
  strict: boolean,
): boolean => {
  if (sequence >= position.sequence) return false
  if (!strict) return true
  const assigned = position.slots.get(sequence)
  return assigned === undefined ? block !== null && block.height <= sinceHeight : assigned === until
}

const read = async <Node>(account: string, from: ReadFrom, deps: ReadingDeps<Node>): Promise<LaneReading> => {
  const { readings, found, ...rest } = await readAtProviders(
    deps.pool,
    (node) => readAt(node, account, from, deps),
    ({ tx, block }: SentTransaction) => ({ id: tx.id, included: block !== null }),
  )
  const listed = [...found].sort((left, right) => (left.sequence < right.sequence ? -1 : 1))
  // Without a journal the lowest number that is listed is the first one since its height.
  const first = from.first ?? from.position?.sequence ?? listed[0]?.sequence
  const missing =
    deps.strict && from.since !== null && first !== undefined ? firstMissing(first, readings, listed) : null
  const isNumbered = from.since !== null && 'sequence' in from.since && from.since.sequence <= (missing ?? 0n)
  if (missing !== null && first !== undefined && !isNumbered) {
    return read(account, { ...from, first, since: { sequence: first } }, deps)
  }
  const unknown = listed.filter((transaction) => !from.isKnown(transaction))
  const known = from.position ?? { sequence: 0n, slots: new Map() }
  const sequence = [
    ...readings.map(({ next }) => next),
    ...listed.map((transaction) => transaction.sequence + 1n),
  ].reduce(larger, known.sequence)
  const slots = deps.strict ? [...known.slots, ...unknown.map((item) => [item.sequence, item.until] as const)] : []
  return {
    position: positionJson({ sequence, slots: new Map(slots) }),
    unknown: unknown.map((transaction) => outgoing(account, transaction)),
    ...rest,
    ...(missing === null ? {} : { complete: false, gap: `nothing is listed that used number ${missing}` }),
  }
}

/** The first number beyond the journal that the account has used and no transaction explains: something paid by it (faults.md F121). */
const firstMissing = (
  from: bigint,
  readings: readonly Reading[],
  listed: readonly SentTransaction[],
): bigint | null => {
  const numbers = new Set(listed.map(({ sequence }) => sequence))
  const next = readings.map((reading) => reading.next).reduce(larger, 0n)
  for (let number = from; number < next; number += 1n) if (!numbers.has(number)) return number
  return null
}

const readAt = async <Node>(
  node: Node,
  account: string,
  { since }: ReadFrom,
  deps: ReadingDeps<Node>,
): Promise<Reading> => {
  const { chain, strict } = deps
  const next = strict ? nextOf(await chain.read(node, { account, attempts: [] })).newest : 0n
  // The first use of a lane in strict order goes on where the account does.
  if (strict && since === null) return { next, found: [], complete: true }
  const { transactions, gap } = await chain.list(node, account, since)
  return { next, found: transactions, complete: gap === undefined, ...(gap === undefined ? {} : { gap }) }
}

const outgoing = (account: string, transaction: SentTransaction): OutgoingTransaction => {
  const { tx, orderId, to, money, purpose, status, fee, block } = transaction
  return { tx, guards: [sequenceGuard({ ...transaction, account })], orderId, to, money, purpose, status, fee, block }
}
