import type { Json } from '../../../chain/json.js'
import type { Payout, PayoutVerdict } from '../../../chain/laneAdapter.js'
import { ServiceError } from '../../../errors/serviceError.js'
import { larger } from '../../../money/compare.js'
import { judgeRequests, readRequestGuard } from '../../lane/requestGuard.js'
import { isUsedUp, pointsOf } from '../numbers/accountNumbers.js'
import { readSequenceGuard, type SequenceGuard } from '../numbers/sequenceGuard.js'
import type { AccountReading, LaneMoment, SequenceChain, ShownTransaction } from '../sequenceChain.js'
import { paidOf, statusOf } from '../sequenceStates.js'

/** A generation of a payment, of which it is asked whether it can still land. */
export interface SequenceClaim {
  readonly guards: readonly string[]
  readonly txIds: readonly string[]
  readonly payout?: Payout | undefined
  /** Of those of `txIds` that have one. */
  readonly locators?: Readonly<Record<string, Json>> | undefined
}

export interface VerdictDeps<Node> {
  readonly chain: Pick<SequenceChain<Node>, 'read' | 'list' | 'remembers' | 'requests' | 'paysBySuccess'>
  readonly strict: boolean
  /** The longest that a payment was ever given to land, in the unit of `until`. */
  readonly longestLifetime: bigint
}

/**
 * What one node says of a payment, judged at finality: `landed` where one of its transactions paid, `alive` while one is in no final
 * block, `dead` once each of its slots is over. Said too early the money is paid twice (faults.md F122).
 * @throws ServiceError SERVICE_UNAVAILABLE when the node has forgotten what it would have to know
 */
export const judgeSequence = async <Node>(
  node: Node,
  claim: SequenceClaim,
  deps: VerdictDeps<Node>,
): Promise<PayoutVerdict> => {
  const slots = claim.guards.flatMap((guard) => readSequenceGuard(guard) ?? [])
  const [first] = slots
  if (first === undefined) return 'alive'
  const { txIds, locators = {} } = claim
  const payout = deps.chain.paysBySuccess === true ? undefined : claim.payout
  const attempts = txIds.map((txId) => {
    const locator = locators[txId]
    return { txId, ...(locator === undefined ? {} : { locator }), ...(payout && { payout }) }
  })
  const reading = await deps.chain.read(node, { account: first.account, attempts })
  const shown = reading.transactions.filter((transaction) => transaction !== null)
  if (shown.some((transaction) => hasPaid(transaction, payout))) return 'landed'
  const requests = await requestVerdict(node, claim, deps)
  if (requests !== 'dead') return requests
  if (shown.some((transaction) => !isFinal(transaction, reading.moment))) return 'alive'
  for (const slot of slots) if (!(await isOver(node, slot, { ...claim, reading, shown }, deps))) return 'alive'
  return 'dead'
}

/** The verdict by the requests among the guards: a used request has landed, and a usable one is alive. */
const requestVerdict = async <Node>(
  node: Node,
  { guards }: SequenceClaim,
  { chain }: VerdictDeps<Node>,
): Promise<PayoutVerdict> => {
  if (chain.requests === undefined || guards.every((guard) => readRequestGuard(guard) === null)) return 'dead'
  return judgeRequests(guards, await chain.requests(node))
}

interface Seen extends SequenceClaim {
  readonly reading: AccountReading
  /** Those of its transactions that the node shows: each failed, in a final block. */
  readonly shown: readonly ShownTransaction[]
}

/** Whether nothing can land in a slot any more. */
const isOver = async <Node>(node: Node, slot: SequenceGuard, seen: Seen, deps: VerdictDeps<Node>): Promise<boolean> => {
  const { reading, shown, txIds } = seen
  if (deps.strict ? shown.some(({ sequence }) => sequence === slot.sequence) : hasRun(txIds, shown)) return true
  const hasExpired = pointsOf(reading.moment).final > slot.until
  if (deps.strict) {
    // A number that the final state still has to take, or holds aside, was used by nothing, whatever was forgotten.
    if (isUsedUp(reading, slot.sequence, 'final') === false) return hasExpired
    if (await isSpentByOther(node, slot, seen, deps)) return true
  }
  if (hasExpired && !(await remembers(node, reading, signedAt(slot, deps), deps))) throw cannotTell()
  return hasExpired
}

const remembers = async <Node>(
  node: Node,
  { history }: AccountReading,
  point: bigint,
  { chain }: VerdictDeps<Node>,
): Promise<boolean> => (history ?? 0n) <= point && ((await chain.remembers?.(node, point)) ?? true)

/** A point, in the unit of `until`, at which a payment was not signed yet. */
const signedAt = ({ until }: SequenceGuard, { longestLifetime }: Pick<VerdictDeps<never>, 'longestLifetime'>): bigint =>
  larger(until - longestLifetime, 0n)

/** A payment whose numbers bind nothing is one transaction, and one that failed in a final block never runs again. */
const hasRun = (txIds: readonly string[], shown: readonly ShownTransaction[]): boolean =>
  txIds.length > 0 && shown.length === txIds.length

/**
 * That the number is used up proves nothing: a node may not show the payment that used it. What did must be seen, and be another one. A
 * number that was held aside may be far older than its payment, before which nothing used it.
 */
const isSpentByOther = async <Node>(
  node: Node,
  slot: SequenceGuard,
  { txIds, reading }: Seen,
  deps: VerdictDeps<Node>,
): Promise<boolean> => {
  const { account, sequence } = slot
  const since = reading.aside === undefined ? { sequence } : { height: signedAt(slot, deps) }
  const { transactions } = await deps.chain.list(node, account, since)
  const spenders = transactions.filter((transaction) => transaction.sequence === sequence)
  // The reading did not show it, and the list does: the node contradicts itself.
  if (spenders.some(({ tx }) => txIds.includes(tx.id))) throw cannotTell()
  return spenders.some((transaction) => isFinal(transaction, reading.moment))
}

/** Success pays, unless it is known what was to be paid and the node shows that nothing arrived (faults.md F123). */
const hasPaid = (sent: ShownTransaction, payout: Payout | undefined): boolean =>
  statusOf(sent) === 'success' && (payout === undefined || paidOf(sent, payout) !== 0n)

const isFinal = ({ block }: Pick<ShownTransaction, 'block'>, { height, final = height }: LaneMoment): boolean =>
  block !== null && block.height <= final

const cannotTell = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain cannot tell what became of a payment.')
