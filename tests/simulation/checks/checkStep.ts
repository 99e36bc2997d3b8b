import { checkAddresses, checkSwept } from './addressRules.js'
import { checkBalances, checkEndBalances } from './balances/balanceRules.js'
import { checkClaims } from './balances/claimRules.js'
import { checkBooks, checkEndBooks } from './bookRules.js'
import { type CheckState, noteDeposits, rememberDatabase, rememberOrders } from './checkState.js'
import { checkDeposits } from './depositRules.js'
import { checkFinished } from './endRules.js'
import { checkFastFills } from './fastFillRules.js'
import { rememberBelieved } from './invented.js'
import { checkEndOrigins, checkOrigins } from './origins/originRules.js'
import { checkPayments } from './paymentRules.js'
import { type SignedTransfer, signedTransfers } from './payments.js'
import { freshPayouts } from './prices/freshDecisions.js'
import { checkPrices } from './prices/priceRules.js'
import { checkRefunds } from './prices/refundRules.js'
import type { Problem } from './problem.js'
import { checkRequests } from './requestRules.js'
import { type Rows, readRows } from './rows.js'

/** What must hold after every step, whatever happened; one round trip. Empty when all is well. */
export const checkStep = async (state: CheckState): Promise<Problem[]> => {
  // Before the rows: what is sent was stored earlier.
  const signed = signedTransfers(state)
  return judge(state, await readRows(state.options.query), signed)
}

const judge = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => {
  noteDeposits(state)
  rememberOrders(state, rows)
  rememberBelieved(state, rows)
  const fresh = freshPayouts(state, rows, signed)
  const problems = [
    ...checkDeposits(state, rows),
    ...checkRequests(state, rows),
    ...checkBooks(rows),
    ...checkBalances(state, rows),
    ...checkClaims(state, rows, signed),
    ...checkFastFills(rows, state.options.limits),
    ...checkOrigins(state, rows, signed),
    ...checkAddresses(state, rows, signed),
    ...checkPayments(state, rows, signed),
    ...checkPrices(state, rows, fresh),
    ...checkRefunds(state, rows, fresh),
  ]
  rememberDatabase(state, rows)
  return problems
}

/** The same, of rows that were read while nothing happened. */
export const judgeStep = (state: CheckState, rows: Rows): Problem[] => judge(state, rows, signedTransfers(state))

/** What must hold besides when faults have stopped and everything had the time to finish. */
export const checkEnd = async (state: CheckState): Promise<Problem[]> => {
  const signed = signedTransfers(state)
  return judgeAtEnd(state, await readRows(state.options.query), signed)
}

/** The same, of rows that were read while nothing happened. */
export const judgeEnd = (state: CheckState, rows: Rows): Problem[] => judgeAtEnd(state, rows, signedTransfers(state))

const judgeAtEnd = (state: CheckState, rows: Rows, signed: readonly SignedTransfer[]): Problem[] => [
  ...judge(state, rows, signed),
  ...checkFinished(state, rows),
  ...checkSwept(state, rows),
  ...checkEndOrigins(rows),
  ...checkEndBalances(rows, signed),
  ...checkEndBooks(state, rows),
]
