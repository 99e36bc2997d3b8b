import type { ChainAdapter } from '../chain/chainAdapter.js'
import type { ChainMoney } from '../chain/chainReferences.js'

type Payer = Pick<ChainAdapter, 'payable'>

/** Largest amount, not above this one, that one payment of the chain can carry. Whatever is to be paid comes down to it; the rest stays as a fee. */
export const largestPayable = ({ payable }: Payer, money: ChainMoney): bigint => payable?.(money) ?? money.amount

/**
 * Least amount, not below this one, that one payment can carry: what a user is asked to send (wire.md H.2 Rounding). The amount itself where
 * no payment carries so much.
 */
export const leastPayable = (payer: Payer, { currency, amount }: ChainMoney): bigint => {
  const reached = (more: bigint): boolean => largestPayable(payer, { currency, amount: amount + more }) >= amount
  if (reached(0n)) return amount
  let above = 1n
  while (!reached(above)) {
    if (above > amount) return amount
    above *= 2n
  }
  let below = above / 2n
  while (above - below > 1n) {
    const middle = (above + below) / 2n
    if (reached(middle)) above = middle
    else below = middle
  }
  return amount + above
}
