import type { Json } from '../../chain/json.js'
import type { Payout, PayoutVerdict } from '../../chain/laneAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import { larger } from '../../money/compare.js'
import type { AccountReading, LaneMoment, SentTransaction, SequenceChain } from './sequenceChain.js'
import { readSequenceGuard, type SequenceGuard } from './sequenceGuard.js'

/** A generation of a payment, of which it is asked whether it can still land. */
export interface SequenceClaim {
  readonly guards: readonly string[]
  readonly txIds: readonly string[]
  readonly payout?: Payout | undefined
  /** Of those of `txIds` that have one. */
  readonly locators?: Readonly<Record<string, Json>> | undefined
}

export interface VerdictDeps<Node> {
  readonly chain: Pick<SequenceChain<Node>, 'read' | 'list'>
  readonly strict: boolean
  /** The longest that a payment was ever given to land, in the unit of `until`. */
  readonly longestLifetime: bigint
}

/** The newest point of what payments expire by, and the newest that is final. */
export const pointsOf = ({ height, final, time }: LaneMoment): { readonly newest: bigint; readonly final: bigint } =>
  time ?? { newest: height, final }

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
  const { payout, txIds, locators = {} } = claim
  const attempts = txIds.map((txId) => {
    const locator = locators[txId]
    return { txId, ...(payout === undefined ? {} : { payout }), ...(locator === undefined ? {} : { locator }) }
  })
  const reading = await deps.chain.read(node, { account: first.account, attempts })
  const shown = reading.transactions.filter((transaction) => transaction !== null)
  if (shown.some((transaction) => hasPaid(transaction, payout))) return 'landed'
  if (shown.some((transaction) => !isFinal(transaction, reading.moment))) return 'alive'
  for (const slot of slots) if (!(await isOver(node, slot, { ...claim, reading, shown }, deps))) return 'alive'
  return 'dead'
}

interface Seen extends SequenceClaim {
  readonly reading: AccountReading
  /** Those of its transactions that the node shows: each failed, in a final block. */
  readonly shown: readonly SentTransaction[]
}

/** Whether nothing can land in a slot any more. */
const isOver = async <Node>(node: Node, slot: SequenceGuard, seen: Seen, deps: VerdictDeps<Node>): Promise<boolean> => {
  const { reading, shown, txIds } = seen
  if (deps.strict ? shown.some(({ sequence }) => sequence === slot.sequence) : isUsedUp(txIds, shown)) return true
  const hasExpired = pointsOf(reading.moment).final > slot.until
  if (deps.strict) {
    // A number that the final state still has to take was used by nothing, whatever was forgotten.
    if (nextOf(reading).final <= slot.sequence) return hasExpired
    if (await isSpentByOther(node, slot, seen, deps)) return true
  }
  if (hasExpired && (reading.history ?? 0n) > larger(slot.until - deps.longestLifetime, 0n)) throw cannotTell()
  return hasExpired
}

/** A payment whose numbers bind nothing is one transaction, and one that failed in a final block never runs again. */
const isUsedUp = (txIds: readonly string[], shown: readonly SentTransaction[]): boolean =>
  txIds.length > 0 && shown.length === txIds.length

/** That the number is used up proves nothing: a node may not show the payment that used it. What did must be seen, and be another one. */
const isSpentByOther = async <Node>(
  node: Node,
  { account, sequence }: SequenceGuard,
  { txIds, reading }: Seen,
  { chain }: VerdictDeps<Node>,
): Promise<boolean> => {
  const { transactions } = await chain.list(node, account, { sequence })
  const spenders = transactions.filter((transaction) => transaction.sequence === sequence)
  // The reading did not show it, and the list does: the node contradicts itself.
  if (spenders.some(({ tx }) => txIds.includes(tx.id))) throw cannotTell()
  return spenders.some((transaction) => isFinal(transaction, reading.moment))
}

/** Success pays, unless it is known what was to be paid and the node shows that nothing arrived (faults.md F123). */
const hasPaid = ({ status, paid }: SentTransaction, payout: Payout | undefined): boolean =>
  status === 'success' && (payout === undefined || paid !== 0n)

const isFinal = ({ block }: SentTransaction, { final }: LaneMoment): boolean => block !== null && block.height <= final

/** @throws Error where a chain that is said to have strict order does not tell its numbers */
export const nextOf = ({ next }: AccountReading): NonNullable<AccountReading['next']> => {
  if (next === undefined) throw new Error('A chain whose numbers are strictly in order must tell the next one.')
  return next
}

const cannotTell = (): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain cannot tell what became of a payment.')
