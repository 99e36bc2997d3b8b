import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Hex } from '../money/hex.js'

/** Deposits that one transaction stores. */
export const PART_SIZE = 250
/** Deposits of one order in one page: more are not what a wallet sends. */
const USUAL_OF_ORDER = 5

/**
 * The deposits of a page as they are stored one part after the other, at least one part. In a page of very many those of orders with
 * few deposits come first and those without an order id last, so that nobody waits for a stranger's thousands (faults.md F132); those
 * of one order stay in the chain's own order, since the first that fits consumes it.
 */
export const partsOf = (deposits: readonly DepositEvent[]): readonly (readonly DepositEvent[])[] => {
  if (deposits.length <= PART_SIZE) return [deposits]
  const ordered = inTurns(deposits)
  const parts: DepositEvent[][] = []
  for (let at = 0; at < ordered.length; at += PART_SIZE) parts.push(ordered.slice(at, at + PART_SIZE))
  return parts
}

const inTurns = (deposits: readonly DepositEvent[]): readonly DepositEvent[] => {
  const counts = new Map<Hex, number>()
  for (const { orderId } of deposits) if (orderId !== null) counts.set(orderId, (counts.get(orderId) ?? 0) + 1)
  const turnOf = ({ orderId }: DepositEvent): number =>
    orderId === null ? 2 : (counts.get(orderId) ?? 0) <= USUAL_OF_ORDER ? 0 : 1
  return deposits.toSorted((left, right) => turnOf(left) - turnOf(right))
}
