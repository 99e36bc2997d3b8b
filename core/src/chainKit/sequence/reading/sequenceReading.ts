import type { LanePlace, LaneReading, OutgoingTransaction } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { larger, smaller } from '../../../money/compare.js'
import { readPaymentMemo } from '../../ledger/paymentMemo.js'
import { type SequenceGuard, sequenceGuard } from '../numbers/sequenceGuard.js'
import { type AccountPosition, othersIn, placeIn, positionJson } from '../numbers/sequencePosition.js'
import type { SentTransaction } from '../sequenceChain.js'
import { statusOf } from '../sequenceStates.js'
import { type AccountFound, type ReadFrom, type ReadingDeps, readAccount } from './readAccount.js'

/**
 * The journal's last block is as high as a node said, which may have made it up: so many blocks more are read, which costs nothing where
 * there is nothing (faults.md F131).
 */
const MADE_UP = 64n

/**
 * Compares the journal's position with the transactions of the lane's accounts as every trusted provider lists them, pending ones
 * included: what one leaves out another shows. Two must show all where two are configured.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few answer, or the lane's own account does not exist
 */
export const readSequences = <Node>(
  account: string,
  stored: LanePlace | null,
  deps: ReadingDeps<Node>,
): Promise<LaneReading> =>
  readLane(account, stored, (other) => (stored === null ? FIRST_USE : fromJournal(stored, other, deps)), deps)

/**
 * The same from the numbers of these guards on, of which nothing is taken for known: something that the journal lacks may have used one
 * (faults.md F121).
 */
export const readSequencesFrom = <Node>(
  account: string,
  stored: LanePlace,
  guards: readonly SequenceGuard[],
  deps: ReadingDeps<Node>,
): Promise<LaneReading> =>
  readLane(
    account,
    stored,
    (other) => {
      const spent = guards.filter((guard) => guard.account === (other ?? account))
      const position = placeIn(stored.position, other)
      if (position === null || (other !== null && spent.length === 0)) return fromJournal(stored, other, deps)
      const sequence = spent.map((guard) => guard.sequence).reduce(smaller, position.sequence)
      const signed = spent.map(({ until }) => larger(until - deps.longestLifetime, 0n))
      const height = signed.reduce(smaller, heightBefore(stored, deps))
      // That the account stands where it was seen last does not tell what used its older numbers.
      return { since: { sequence }, height, position: { ...position, settled: null }, isKnown: () => false }
    },
    deps,
  )

/** An account goes on where it stands. */
const FIRST_USE: ReadFrom = { since: null, position: null, isKnown: () => true }

const heightBefore = ({ sinceHeight }: LanePlace, { settle }: Pick<ReadingDeps<never>, 'settle'>): bigint =>
  larger(sinceHeight - settle - MADE_UP, 0n)

const fromJournal = (
  stored: LanePlace,
  other: string | null,
  deps: Omit<ReadingDeps<never>, 'chain' | 'pool'>,
): ReadFrom => {
  const since = { height: heightBefore(stored, deps) }
  const position = placeIn(stored.position, other)
  if (position === null) return { since, position, isKnown: () => false }
  return { since, position, isKnown: (sent) => isCounted(sent, position, stored.sinceHeight, deps.strict) }
}

/**
 * Whether the journal's position holds a transaction. In strict order a number below it may have been assigned again since, to be
 * used until another point, or after the journal's last block.
 */
const isCounted = (
  { sequence, until, block }: SentTransaction,
  position: AccountPosition,
  sinceHeight: bigint,
  strict: boolean,
): boolean => {
  if (sequence >= position.sequence) return false
  if (!strict) return true
  const assigned = position.slots.get(sequence)
  return assigned === undefined ? block !== null && block.height <= sinceHeight : assigned === until
}

/** The lane's own account and the others, as one reading. */
const readLane = async <Node>(
  own: string,
  stored: LanePlace | null,
  from: (other: string | null) => ReadFrom,
  deps: ReadingDeps<Node>,
): Promise<LaneReading> => {
  const [mine, ...rest] = await Promise.all([
    readAccount(own, from(null), deps),
    ...(deps.chain.others ?? []).map((other) => readAccount(other, from(other), deps)),
  ])
  if (mine === null || mine === undefined) throw noAccount()
  const others = rest.filter((found) => found !== null)
  const all = [mine, ...others]
  const complete = all.every((found) => found.complete)
  const gap = all.find((found) => !found.complete)?.gap
  const known = stored === null ? new Map() : othersIn(stored.position)
  // What was not all read is not settled: the journal stays as it is, and so does what it says of that.
  const placeOf = ({ account, place }: AccountFound): AccountPosition =>
    complete
      ? place
      : {
          ...place,
          settled:
            (stored === null ? null : placeIn(stored.position, account === own ? null : account))?.settled ?? null,
        }
  return {
    position: positionJson({
      ...placeOf(mine),
      others: new Map([...known, ...others.map((found) => [found.account, placeOf(found)] as const)]),
    }),
    unknown: all.flatMap((found) => found.unknown.flatMap((sent) => outgoing(found.account, sent, own))),
    complete,
    ...(gap === undefined ? {} : { gap }),
  }
}

/** What another account sent is told where it is a payment of ours; its fee is not borne by the lane's own. */
const outgoing = (account: string, transaction: SentTransaction, own: string): readonly OutgoingTransaction[] => {
  const { tx, memo, to, money, fee, block } = transaction
  const payment = readPaymentMemo(memo ?? '')
  if (account !== own && payment.orderId === null) return []
  const guards = [sequenceGuard({ ...transaction, account })]
  const told = { tx, guards, ...payment, to, money, status: statusOf(transaction), block }
  return [account === own ? { ...told, fee } : told]
}

const noAccount = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The account that pays on this chain does not exist yet. Send it money first.',
  )
