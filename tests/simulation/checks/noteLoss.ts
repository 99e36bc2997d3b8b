import { type CheckState, rememberOrders } from './checkState.js'
import { rememberBelieved } from './invented.js'
import { readRows } from './rows.js'

/**
 * To be called right before an older database is put back or commits are lost: what is stored now may be on its way, and rows may
 * go back to what they were.
 */
export const noteLoss = async (state: CheckState): Promise<void> => {
  const rows = await readRows(state.options.query)
  for (const { tx } of rows.attempts) state.forgotten.add(tx)
  for (const { account, chain, currency, amount } of rows.books) {
    const key = `${chain}:${currency}`
    if (account === 'capital' && !state.opened.has(key)) state.opened.set(key, -BigInt(amount))
  }
  rememberOrders(state, rows)
  rememberBelieved(state, rows)
  state.seen.deposits.clear()
  state.seen.statuses.clear()
  state.seen.attempts.clear()
  state.seen.free.clear()
}
