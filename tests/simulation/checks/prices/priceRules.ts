import type { CheckState } from '../checkState.js'
import type { Problem } from '../problem.js'
import { indexOf } from '../rowIndex.js'
import type { DepositRow, PayoutRow, Rows } from '../rows.js'
import { type Prices, pricesOf } from './freshDecisions.js'

const AGREED = 'F140: a fill pays no more than deposit and sponsor bring at the prices of its decision'
const EARNED = 'F140: a wallet earns no more than was quoted, and no more than its fee is worth at the decision'
const CROSSED = 'F142: a balance pays the conversion from and to another asset'
const COSTED = 'F149: a claim pays its network cost, and nothing is withdrawn below its cost'

/** Smallest units that several shares, each rounded down, may add. */
const ROUNDING = 10n
const BPS = 10_000n
/** Of a balance that is made of another asset, or paid as one; the default. */
const CONVERSION_BPS = 45n

interface Context {
  readonly rows: Rows
  readonly prices: Prices
  /** Currencies that fees of networks are paid in; all others are dollars. */
  readonly coins: ReadonlySet<string>
  readonly networkFee: bigint
}

/** Amounts in several currencies, by the prices of the decisions since the last check. */
export const checkPrices = (state: CheckState, rows: Rows, fresh: readonly PayoutRow[]): Problem[] => {
  const { ledgers, networkFee = 0n } = state.options
  const coins = new Set(ledgers.map(({ coin }) => coin))
  const context = { rows, prices: pricesOf(state), coins, networkFee }
  return [
    ...fresh.flatMap((payout) => [
      ...checkAgreed(context, payout),
      ...checkEarned(context, payout),
      ...checkClaim(context, payout),
      ...checkWithdrawal(context, payout),
    ]),
    ...freshCredits(state, rows).flatMap((deposit) => checkCredit(context, deposit)),
  ]
}

const freshCredits = ({ priced }: CheckState, { deposits }: Rows): readonly DepositRow[] => {
  const keyOf = ({ chain, tx }: DepositRow): string => `credit ${chain} ${tx}`
  const fresh = deposits.filter((deposit) => deposit.outcome === 'balance' && !priced.has(keyOf(deposit)))
  for (const deposit of fresh) priced.add(keyOf(deposit))
  return fresh
}

const sumOf = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)

/** Part of an amount that a conversion between two currencies leaves, in basis points. */
const leftBps = ({ coins }: Context, one: string, other: string): bigint =>
  coins.has(one) === coins.has(other) ? BPS : BPS - CONVERSION_BPS

/** The collateral of a fast fill covers its prices. */
const checkAgreed = ({ rows, prices }: Context, payout: PayoutRow): Problem[] => {
  const { id, purpose, amount, currency, excess, earnings, sponsorship } = payout
  const deposit = indexOf(rows).deposits.get(payout.deposit ?? -1)
  const isAhead = rows.fastFills.some((fill) => fill.payout === id)
  if (purpose !== 'fill' || deposit === undefined || isAhead) return []
  const earned = sumOf((earnings?.list ?? []).map(({ worth }) => worth))
  const sponsored = BigInt(sponsorship?.amount ?? 0)
  const balance = prices.least((earnings ?? sponsorship)?.currency ?? currency)
  const brought = (BigInt(deposit.amount) - BigInt(excess) + ROUNDING) * prices.most(deposit.currency)
  if (BigInt(amount) * prices.least(currency) + earned * balance <= brought + sponsored * balance) return []
  const words = `fill ${id} pays ${amount}, ${earned} is earned by it, ${deposit.amount} came and ${sponsored} is sponsored`
  return [{ invariant: AGREED, words }]
}

const checkEarned = (context: Context, { id, earnings, quoted, deposit: depositId }: PayoutRow): Problem[] => {
  const { rows, prices } = context
  const deposit = indexOf(rows).deposits.get(depositId ?? -1)
  if (earnings === null || deposit === undefined) return []
  const dollar = prices.least(earnings.currency)
  const dear = earnings.list.filter(({ kind, amount, worth }) => {
    const left = kind === 'rate' ? BPS : leftBps(context, deposit.currency, earnings.currency)
    return (BigInt(worth) - ROUNDING) * dollar * BPS > BigInt(amount) * prices.most(deposit.currency) * left
  })
  const all = sumOf(earnings.list.map(({ worth }) => worth))
  const isAbove = quoted !== null && all > shareOf(quoted, BigInt(deposit.amount)) + ROUNDING
  return [
    ...dear.map(({ holder, amount, worth }) => `${holder} earns ${worth} by ${amount}`),
    ...(isAbove ? [`${all} is earned of ${quoted.worth} that was quoted for ${quoted.deposit}`] : []),
  ].map((words) => ({ invariant: EARNED, words: `fill ${id}: ${words}` }))
}

/** Quoted earnings grow with a deposit above the quoted one. */
const shareOf = ({ deposit, worth }: NonNullable<PayoutRow['quoted']>, paid: bigint): bigint => {
  const whole = BigInt(deposit)
  return paid <= whole ? BigInt(worth) : (BigInt(worth) * paid) / whole + 1n
}

const checkClaim = (context: Context, { id, claim, amount, currency }: PayoutRow): Problem[] => {
  if (claim === null) return []
  const { prices } = context
  const [taken, fee] = [BigInt(claim.amount), BigInt(claim.fee)]
  const crossing = (taken * (BPS - leftBps(context, claim.currency, currency))) / BPS
  const isGiven = BigInt(amount) * prices.least(currency) > (taken - fee) * prices.most(claim.currency)
  const isCheap = (fee - crossing) * prices.most(claim.currency) < networkCost(context)
  const words = `claim payout ${id} pays ${amount} for ${taken}, of which ${fee} is kept`
  return [
    ...(isGiven || fee < crossing ? [{ invariant: CROSSED, words }] : []),
    ...(isCheap ? [{ invariant: COSTED, words: `${words}, ${crossing} for the conversion` }] : []),
  ]
}

/** Least worth of a transaction's fee. */
const networkCost = ({ prices, coins, networkFee }: Context): bigint => {
  const [coin = ''] = coins
  return networkFee * prices.least(coin)
}

const checkWithdrawal = (context: Context, { id, purpose, currency, deposit }: PayoutRow): Problem[] => {
  const withdrawn = indexOf(context.rows).deposits.get(deposit ?? -1)
  if (purpose !== 'withdraw' || withdrawn?.outcome !== 'balance') return []
  if (BigInt(withdrawn.amount) * context.prices.most(currency) >= networkCost(context)) return []
  return [{ invariant: COSTED, words: `withdrawal ${id} takes ${withdrawn.amount} of ${currency}` }]
}

const checkCredit = (context: Context, { id, amount, currency, holder }: DepositRow): Problem[] => {
  const { rows, prices } = context
  const own = rows.books.filter(({ cause, account }) => cause === `deposit:${id}` && account === 'app')
  return own.flatMap((book) => {
    const credited = -BigInt(book.amount)
    const most = BigInt(amount) * prices.most(currency) * leftBps(context, currency, book.currency)
    if (credited * prices.least(book.currency) * BPS <= most) return []
    return [{ invariant: CROSSED, words: `deposit ${id} of ${amount} brings ${holder} ${credited}` }]
  })
}
