import type { Limits } from './checkState.js'
import type { Problem } from './problem.js'
import { indexOf } from './rowIndex.js'
import type { FastFillRow, Rows } from './rows.js'

const BALANCES = '5: balances of wallets are what their entries sum up to'
const COVER = 'F70: what a fast fill lent is covered, once, until its deposit or its collateral has paid'
const CAP = 'F141: no more is lent ahead of the deposits of a chain than that chain is trusted with'
const PUT = 'F141: a wallet gains nothing by the price of a deposit that pays its fast fill'
const STANDING = 'F70: a fast fill stands as its payout and its deposit do'

const LIVE: ReadonlySet<string> = new Set(['queued', 'filling', 'paid'])
const IN_BLOCK: ReadonlySet<string> = new Set(['included', 'final'])

/** Orders that are filled ahead of their deposits: what stands in the books for them, and how they end. */
export const checkFastFills = (rows: Rows, limits: Limits): Problem[] => [
  ...checkCap(rows, limits),
  ...rows.offBalances.map((words) => ({ invariant: BALANCES, words })),
  ...rows.fastFills.flatMap((row) => [...checkCover(rows, row), ...checkGain(rows, row), ...checkStanding(rows, row)]),
]

const sumOf = ({ books }: Rows, cause: string, account: string): bigint =>
  books
    .filter((book) => book.cause === cause && book.account === account)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const LENT: ReadonlySet<string> = new Set(['filling', 'paid'])

/** By the lowest price; each was let in by that of its moment. */
const checkCap = ({ fastFills }: Rows, { unsettled, worth }: Limits): Problem[] => {
  if (unsettled === null) return []
  const lent = new Map<number, bigint>()
  for (const { state, origin, currency, amount } of fastFills) {
    if (LENT.has(state))
      lent.set(origin, (lent.get(origin) ?? 0n) + worth({ chain: origin, currency, amount: BigInt(amount) }))
  }
  return [...lent].flatMap(([chain, usd]) =>
    usd <= unsettled ? [] : [{ invariant: CAP, words: `${usd} dollars are lent ahead of deposits of ${chain}` }],
  )
}

/** The surplus of its deposit belongs to the wallet. */
const checkGain = (rows: Rows, { request, state, deposit, lent }: FastFillRow): Problem[] => {
  const brought = deposit === null ? undefined : indexOf(rows).deposits.get(deposit)?.amount
  if (state !== 'settled' || brought === undefined || BigInt(brought) > BigInt(lent)) return []
  const gain = -sumOf(rows, `fast-fill:${request}`, 'app')
  return gain <= 0n ? [] : [{ invariant: PUT, words: `${request} brought its wallet ${gain}` }]
}

const checkCover = (rows: Rows, { request, state, payout, collateral, lent }: FastFillRow): Problem[] => {
  const isLent = payout !== null && LIVE.has(state) && IN_BLOCK.has(indexOf(rows).payouts.get(payout)?.state ?? '')
  const expected = [
    ['collateral', -sumOf(rows, `fast-fill:${request}`, 'collateral'), LIVE.has(state) ? BigInt(collateral) : 0n],
    ['exposure', sumOf(rows, `payout:${payout ?? 0}`, 'exposure'), isLent ? BigInt(lent) : 0n],
  ] as const
  return expected.flatMap(([account, booked, due]) =>
    booked === due
      ? []
      : [{ invariant: COVER, words: `${account} of ${request}, which is ${state}: ${booked}, should be ${due}` }],
  )
}

const checkStanding = (rows: Rows, { request, state, payout, deposit }: FastFillRow): Problem[] => {
  const { payouts, deposits } = indexOf(rows)
  const fill = payout === null ? undefined : payouts.get(payout)
  const paidBy = deposit === null ? undefined : deposits.get(deposit)
  const isRight =
    state === 'queued'
      ? fill === undefined
      : state === 'filling'
        ? fill?.state !== 'final' && fill?.state !== 'dead'
        : state === 'ended'
          ? fill === undefined || fill.state === 'dead'
          : fill?.state === 'final' && (state !== 'settled' || (fill.deposit === deposit && paidBy?.outcome === 'fill'))
  if (isRight) return []
  const words = `that of ${request} is ${state}, its payout ${fill?.state ?? 'missing'}, its deposit ${paidBy?.outcome ?? 'undecided'}`
  return [{ invariant: STANDING, words }]
}
