import type { CheckState } from '../checkState.js'
import { type Payment, readPayments, type SignedTransfer } from '../payments.js'
import type { Problem } from '../problem.js'
import { grouped, indexOf } from '../rowIndex.js'
import type { Rows } from '../rows.js'

const ONCE = 'chain: a claim is paid once'
const SIGNED = 'chain: a claim is paid as its wallet signed it'
const GROUND = 'claim: its payout is that of a claim, and of one alone'
const LOST = 'claim: one that the database has lost is taken of its balance, if that covers it'

/** What is paid out of balances: what the chains show of it, and what the database says. */
export const checkClaims = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => {
  const payments = readPayments(signed).filter(({ purpose }) => purpose === 'claim')
  return [
    ...[...grouped(payments.map((payment) => [payment.order, payment]))].flatMap(([id, own]) =>
      own.length > 1 ? [{ invariant: ONCE, words: `${id}: ${own.map(({ tx }) => tx).join(', ')}` }] : [],
    ),
    ...payments
      .filter((payment) => !isSigned(state, payment))
      .map((payment) => ({ invariant: SIGNED, words: wordsOf(payment) })),
    ...checkGround(rows),
    ...checkLost(state, rows),
  ]
}

/** Its wallet signed this id, which is for this recipient, chain, currency and at least so much; in its own currency less than it takes, for the network (F149). */
const isSigned = ({ options, claims }: CheckState, { order, chain, currency, to, amount }: Payment): boolean => {
  const asked = options.signedClaims?.().get(order)
  const claim = claims.get(order)
  if (asked === undefined || claim === undefined) return false
  const isItsEnd = asked.chainId === chain && asked.currency === currency && asked.recipient === to
  const isItsAmount = amount >= BigInt(claim.minimum) && (!claim.own || amount < BigInt(claim.amount))
  return isItsEnd && isItsAmount && claim.wallet === asked.wallet
}

const wordsOf = ({ tx, order, amount, currency, to, chain }: Payment): string =>
  `${tx} pays claim ${order}: ${amount} of ${currency} to ${to} on chain ${chain}`

const checkGround = (rows: Rows): Problem[] => {
  const claimed = new Map(rows.claims.map(({ payout, id }) => [payout, id]))
  const { payouts } = indexOf(rows)
  const without = rows.payouts.filter(({ id, purpose }) => purpose === 'claim' && !claimed.has(id))
  const wrong = rows.claims.filter(({ payout }) => payout !== null && payouts.get(payout)?.purpose !== 'claim')
  return [
    ...without.map(({ id }) => ({ invariant: GROUND, words: `payout ${id} is of no claim` })),
    ...wrong.map(({ id }) => ({ invariant: GROUND, words: `claim ${id} has no payout of its own` })),
  ]
}

/** An operator is asked only for what the balance does not cover, as it was when somebody last looked before that. */
const checkLost = ({ releasedClaims, seen }: CheckState, { lostClaims }: Rows): Problem[] => {
  const fresh = lostClaims.filter(({ id, released }) => released && !releasedClaims.has(id))
  for (const { id } of fresh) releasedClaims.add(id)
  return fresh.flatMap(({ id, wallet, chain, currency, amount }) => {
    const free = seen.free.get(`${wallet}:${chain}:${currency}`) ?? 0n
    if (free < BigInt(amount)) return []
    return [{ invariant: LOST, words: `${id}: ${amount}, and ${free} was free, yet an operator had to accept it` }]
  })
}
