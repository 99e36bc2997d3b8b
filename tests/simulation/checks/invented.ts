import type { CheckState } from './checkState.js'
import type { DepositRow, Rows } from './rows.js'

/** Whether no chain ever showed this deposit as it is stored: a node lied. */
export const isInvented = ({ shown }: CheckState, deposit: DepositRow): boolean => {
  const { chain, tx, currency, amount, order, given } = deposit
  const known = shown.get(`${chain}:${tx}`)
  if (known?.currency !== currency || known.amount !== BigInt(amount)) return true
  // An operator may give a deposit to another order.
  return !given && known.order !== null && known.order !== order
}

export const worthOf = ({ options }: CheckState, { chain, currency, amount }: DepositRow): bigint =>
  options.limits.worth({ chain, currency, amount: BigInt(amount) })

/** Invented, and so little that one provider's word is enough: the deployment is told to risk that. */
export const isBelieved = (state: CheckState, deposit: DepositRow): boolean =>
  isInvented(state, deposit) && worthOf(state, deposit) <= state.options.limits.quorum

/** What was paid for a believed deposit stays paid when the database forgets it. */
export const rememberBelieved = (state: CheckState, { deposits }: Rows): void => {
  for (const deposit of deposits) {
    if (isBelieved(state, deposit)) state.believed.set(`${deposit.chain}:${deposit.tx}`, deposit)
  }
}
