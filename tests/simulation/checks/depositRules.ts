import type { CheckState } from './checkState.js'
import type { Problem } from './problem.js'
import { indexOf } from './rowIndex.js'
import type { DepositRow, PayoutRow, Rows } from './rows.js'

const SUM = '1: fill, refund, excess, fees and parked never exceed the deposit'
const ONE = '1: at most one of fill and refund'
const OUTCOME = '1: an outcome changes only when what it decided is proven dead'
const GENERATION = '1: one live generation per payout, the newest'
const GROUND = 'F125: nothing is signed for a deposit that is not on its chain'

const isOver = ({ state }: PayoutRow): boolean => state === 'dead' || state === 'abandoned'

/** What a payout takes of its deposit, in the deposit's currency. */
export const consumedOf = (deposit: DepositRow, { purpose, amount, fees, excess }: PayoutRow): bigint => {
  if (purpose === 'withdraw') return 0n
  return purpose === 'fill' ? BigInt(deposit.amount) - BigInt(excess) : BigInt(amount) + BigInt(fees)
}

/** What stands in an account because of one deposit and its payouts, in its currency. */
export const bookedOf = (rows: Rows, { id }: DepositRow, account: string): bigint =>
  indexOf(rows).booked.get(`${id}:${account}`) ?? 0n

/** Per deposit: what was promised of it, by whom, and how that may change. */
export const checkDeposits = (state: CheckState, rows: Rows): Problem[] => [
  ...rows.deposits.flatMap((deposit) => {
    const payouts = indexOf(rows).payoutsOf.get(deposit.id) ?? []
    return [
      ...checkSum(rows, deposit, payouts),
      ...checkOne(deposit, payouts),
      ...checkOutcome(state, rows, deposit, payouts),
    ]
  }),
  ...checkGenerations(rows),
  ...checkGround(state, rows),
]

const checkSum = (rows: Rows, deposit: DepositRow, payouts: readonly PayoutRow[]): Problem[] => {
  const parked = -bookedOf(rows, deposit, 'parked')
  const owed = -bookedOf(rows, deposit, 'owed')
  const open = payouts.filter((payout) => !isOver(payout))
  const consumed = open.reduce((sum, payout) => sum + consumedOf(deposit, payout), 0n)
  const kept = [parked < 0n ? `parked is ${parked}` : null, owed < 0n ? `${-owed} more was paid than was owed` : null]
  const over = consumed + parked > BigInt(deposit.amount) ? `${consumed} is paid and ${parked} parked` : null
  return [...kept, over].flatMap((words) =>
    words === null ? [] : [{ invariant: SUM, words: `deposit ${deposit.id} of ${deposit.amount}: ${words}` }],
  )
}

const checkOne = (deposit: DepositRow, payouts: readonly PayoutRow[]): Problem[] => {
  const open = payouts.filter((payout) => !isOver(payout) && (payout.purpose === 'fill' || payout.purpose === 'refund'))
  const words = open.map(({ id, purpose, state }) => `${purpose} ${id} is ${state}`).join(', ')
  if (open.length > 1) return [{ invariant: ONE, words: `deposit ${deposit.id}: ${words}` }]
  const other = open.find(({ purpose }) => purpose !== deposit.outcome)
  if (other === undefined) return []
  return [{ invariant: ONE, words: `deposit ${deposit.id} is decided to ${deposit.outcome ?? 'nothing'}: ${words}` }]
}

const checkOutcome = (
  { seen }: CheckState,
  rows: Rows,
  deposit: DepositRow,
  payouts: readonly PayoutRow[],
): Problem[] => {
  const before = seen.deposits.get(deposit.id)?.outcome ?? null
  if (before === null || before === deposit.outcome) return []
  const decided = payouts.find(({ purpose }) => purpose === before)
  const lives = decided !== undefined && indexOf(rows).liveOf.has(decided.id)
  // A failure without a payment has an outcome and no payout.
  if (decided === undefined || (decided.state === 'dead' && !lives)) return []
  const words = `deposit ${deposit.id} turned from ${before} to ${deposit.outcome ?? 'nothing'}, its ${before} is ${decided.state}`
  return [{ invariant: OUTCOME, words }]
}

const checkGenerations = (rows: Rows): Problem[] =>
  rows.payouts.flatMap(({ id, generation, state }) => {
    const live = indexOf(rows).liveOf.get(id) ?? []
    const words = `payout ${id} is ${state} in generation ${generation}, live: ${live.join(', ')}`
    const wrong =
      live.length > 1 || live.some((item) => item !== generation) || (live.length > 0 && UNSIGNED.has(state))
    return wrong ? [{ invariant: GENERATION, words }] : []
  })

const UNSIGNED: ReadonlySet<string> = new Set(['ready', 'dead', 'abandoned'])

const checkGround = ({ seen }: CheckState, rows: Rows): Problem[] =>
  rows.attempts.flatMap(({ tx, kind, payout: id }) => {
    if (kind === 'cancel' || seen.attempts.has(tx)) return []
    const deposit = indexOf(rows).deposits.get(indexOf(rows).payouts.get(id)?.deposit ?? -1)
    if (deposit === undefined || deposit.state === 'included') return []
    // It may have left after the signature, within the step.
    const before = seen.deposits.get(deposit.id)?.state ?? 'included'
    if (before === 'included') return []
    return [{ invariant: GROUND, words: `${tx} pays for deposit ${deposit.id}, which is ${deposit.state}` }]
  })
