import type { LanePlace, LaneReading, OutgoingTransaction } from '../../chain/laneAdapter.js'
import { larger } from '../../money/compare.js'
import { type ProviderSight, readAtProviders } from '../lane/readAtProviders.js'
import type { AskedProviders } from '../quorum/askProviders.js'
import type { LaneSince, SentTransaction, SequenceChain } from './sequenceChain.js'
import { readSequenceGuard, sequenceGuard } from './sequenceGuard.js'
import { positionJson, readPosition, type SequencePosition } from './sequencePosition.js'
import { nextOf } from './sequenceVerdict.js'

export interface ReadingDeps<Node> {
  readonly chain: Pick<SequenceChain<Node>, 'look' | 'list'>
  readonly pool: AskedProviders<Node>
  readonly strict: boolean
  /** Blocks before the journal's last one in which its transactions may still have landed: as many as may be replaced. */
  readonly settle: bigint
}

/** From where on a lane is read, and what its journal holds of that. */
interface ReadFrom {
  readonly since: LaneSince | null
  readonly position: SequencePosition | null
  isKnown(transaction: SentTransaction): boolean
}

/** What one provider shows of a lane. */
interface Sight extends ProviderSight<SentTransaction> {
  readonly next: bigint
}

/**
 * Compares the journal's position with the account's transactions as every trusted provider lists them, pending ones included: what
 * one leaves out another shows. Two must show all where two are configured. In strict order a number that the account has used since
 * and nothing listed explains is read for itself: the journal's height may have been told by a node that was believed too far ahead.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
 */
export const readSequences = <Node>(
  account: string,
  stored: LanePlace | null,
  deps: ReadingDeps<Node>,
): Promise<LaneReading> => {
  if (stored === null) return read(account, { since: null, position: null, isKnown: () => true }, deps)
  const position = readPosition(stored.position)
  const since = { height: larger(stored.sinceHeight - deps.settle, 0n) }
  const isKnown = (transaction: SentTransaction) => isCounted(transaction, position, stored.sinceHeight, deps.strict)
  return readWhole(account, stored, { since, position, isKnown }, deps)
}

const readWhole = async <Node>(
  account: string,
  stored: LanePlace,
  from: ReadFrom & { readonly position: SequencePosition },
  deps: ReadingDeps<Node>,
): Promise<LaneReading> => {
  const reading = await read(account, from, deps)
  const { position } = from
  const found = new Set(
    reading.unknown.flatMap(({ guards }) => guards.map((guard) => readSequenceGuard(guard)?.sequence)),
  )
  const { sequence: next } = readPosition(reading.position)
  for (let sequence = position.sequence; deps.strict && sequence < next; sequence += 1n) {
    if (!found.has(sequence)) return withAll(reading, await readSequencesFrom(account, stored, position.sequence, deps))
  }
  return reading
}

/** What either of two readings found, of which the second is of more. */
const withAll = (first: LaneReading, second: LaneReading): LaneReading => {
  const known = new Set(second.unknown.map(({ tx }) => tx.id))
  return { ...second, unknown: [...first.unknown.filter(({ tx }) => !known.has(tx.id)), ...second.unknown] }
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
 * Whether the journal's position holds a transaction. In strict order a number below it may have been given out again since, to be
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
  const given = position.slots.get(sequence)
  return given === undefined ? block !== null && block.height <= sinceHeight : given === until
}

const read = async <Node>(account: string, from: ReadFrom, deps: ReadingDeps<Node>): Promise<LaneReading> => {
  const { sights, found, ...rest } = await readAtProviders(
    deps.pool,
    (node) => lookAt(node, account, from, deps),
    ({ tx, block }: SentTransaction) => ({ id: tx.id, included: block !== null }),
  )
  const listed = [...found].sort((left, right) => (left.sequence < right.sequence ? -1 : 1))
  const unknown = listed.filter((transaction) => !from.isKnown(transaction))
  const known = from.position ?? { sequence: 0n, slots: new Map() }
  const sequence = [
    ...sights.map(({ next }) => next),
    ...listed.map((transaction) => transaction.sequence + 1n),
  ].reduce(larger, known.sequence)
  const slots = deps.strict ? [...known.slots, ...unknown.map((item) => [item.sequence, item.until] as const)] : []
  return {
    position: positionJson({ sequence, slots: new Map(slots) }),
    unknown: unknown.map((transaction) => outgoing(account, transaction)),
    ...rest,
  }
}

const lookAt = async <Node>(
  node: Node,
  account: string,
  { since }: ReadFrom,
  deps: ReadingDeps<Node>,
): Promise<Sight> => {
  const { chain, strict } = deps
  const next = strict ? nextOf(await chain.look(node, { account, attempts: [] })).newest : 0n
  // The first use of a lane in strict order goes on where the account does.
  if (strict && since === null) return { next, found: [], complete: true }
  const { transactions, gap } = await chain.list(node, account, since)
  return { next, found: transactions, complete: gap === undefined, ...(gap === undefined ? {} : { gap }) }
}

const outgoing = (account: string, transaction: SentTransaction): OutgoingTransaction => {
  const { tx, orderId, to, money, purpose, status, block } = transaction
  return { tx, guards: [sequenceGuard({ ...transaction, account })], orderId, to, money, purpose, status, block }
}
