import type { CheckedRecord, CheckState } from '../checkState.js'
import type { Problem } from '../problem.js'
import { indexOf } from '../rowIndex.js'
import type { DepositRow, PayoutRow, Rows } from '../rows.js'
import { pricesOf } from './freshDecisions.js'

const SENT = 'F143: a refund to whoever sent the money goes to the sender of nearly all of it'
const KEPT = 'F150: a refund keeps the fee of our transaction that brought its deposit in'

/** Other senders may have added up to one part in so many. */
const OTHERS = 4n

/** Refunds that were decided since the last check. */
export const checkRefunds = (state: CheckState, rows: Rows, fresh: readonly PayoutRow[]): Problem[] =>
  fresh
    .filter(({ purpose }) => purpose === 'refund')
    .flatMap((payout) => {
      const deposit = indexOf(rows).deposits.get(payout.deposit ?? -1)
      const record = deposit && recordOf(state, deposit)
      if (deposit === undefined || record === undefined) return []
      return [...checkSender(state, rows, payout, deposit, record), ...checkFee(state, rows, payout, deposit, record)]
    })

/** The transaction that brought a deposit, as its chain has it. */
const recordOf = ({ options }: CheckState, { chain, tx }: DepositRow): CheckedRecord | undefined =>
  options.ledgers
    .find(({ chainId }) => chainId === chain)
    ?.records()
    .find(({ id, status }) => status === 'success' && id === tx.split('#')[0])

/** An operator may refund to the user of the quote, who is the depositor, or assign the deposit to another request. */
const checkSender = (
  { options }: CheckState,
  { requests }: Rows,
  { id, to }: PayoutRow,
  { chain, currency, amount, depositor, shown, given, request }: DepositRow,
  swept: CheckedRecord,
): Problem[] => {
  const told = options.addresses?.().find(({ orderId, toSender }) => toSender && orderId === shown)
  const isAssigned = given && requests.find((item) => item.id === request)?.made !== true
  if (told === undefined || to === depositor || isAssigned) return []
  const records = options.ledgers.find(({ chainId }) => chainId === chain)?.records() ?? []
  const before = records.slice(0, records.indexOf(swept))
  const sinceSweep = before.slice(before.findLastIndex((record) => empties(record, told.address, currency)) + 1)
  const sent = sinceSweep
    .filter(({ status, transfer }) => {
      const isMeant = transfer.to === told.address && transfer.currency === currency
      return status === 'success' && isMeant && transfer.from === to
    })
    .reduce((sum, { transfer }) => sum + BigInt(transfer.amount), 0n)
  if ((BigInt(amount) - sent) * OTHERS <= BigInt(amount)) return []
  return [{ invariant: SENT, words: `refund ${id} goes to ${to}, who sent ${sent} of ${amount}` }]
}

const empties = ({ swept, transfer: { from } }: CheckedRecord, address: string, currency: string): boolean =>
  from === address && (swept ?? []).some((money) => money.currency === currency)

/** Several payouts of one transaction share its fee. */
const checkFee = (
  state: CheckState,
  rows: Rows,
  { id, fees }: PayoutRow,
  { chain, tx, currency }: DepositRow,
  { id: txId, fee }: CheckedRecord,
): Problem[] => {
  const own = rows.attempts.filter((attempt) => attempt.chain === chain && attempt.tx === txId && !attempt.found)
  const [first] = own.map(({ payout }) => indexOf(rows).payouts.get(payout))
  const isCharged = first?.purpose === 'sweep' || (first?.purpose === 'origin' && first.borne === 'route')
  const coin = state.options.ledgers.find(({ chainId }) => chainId === chain)?.coin
  if (!isCharged || coin === undefined) return []
  const prices = pricesOf(state)
  const cost = BigInt(fee) / BigInt(own.length) + (state.options.networkFee ?? 0n)
  const isKept =
    currency === coin ? BigInt(fees) >= cost : BigInt(fees) * prices.most(currency) >= cost * prices.least(coin)
  const words = `refund ${id} of ${tx} keeps ${fees} of ${currency}, its two transactions cost ${cost}`
  return isKept ? [] : [{ invariant: KEPT, words }]
}
