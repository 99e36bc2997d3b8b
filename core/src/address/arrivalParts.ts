import type { Arrival } from '../chain/address/depositAddresses.js'
import { destinationText } from '../chain/destination.js'

/** Arrivals stored in one transaction, which must be short against the life of the lease (faults.md F14, F132). */
export const PART_SIZE = 500
/** Payments to one address in one page: more are not what a user sends. */
const USUAL_OF_ADDRESS = 5

/**
 * The arrivals of a page as they are stored one part after the other, at least one part. In a page of very many those at addresses with few
 * come first, so that nobody waits for the thousands that a stranger sent to another address (faults.md F132); those at one address stay in
 * the chain's own order.
 */
export const partsOf = (arrivals: readonly Arrival[]): readonly (readonly Arrival[])[] => {
  if (arrivals.length <= PART_SIZE) return [arrivals]
  const ordered = inTurns(arrivals)
  const parts: Arrival[][] = []
  for (let at = 0; at < ordered.length; at += PART_SIZE) parts.push(ordered.slice(at, at + PART_SIZE))
  return parts
}

const inTurns = (arrivals: readonly Arrival[]): readonly Arrival[] => {
  const counts = new Map<string, number>()
  for (const { to } of arrivals) counts.set(destinationText(to), (counts.get(destinationText(to)) ?? 0) + 1)
  const turnOf = ({ to }: Arrival): number => ((counts.get(destinationText(to)) ?? 0) <= USUAL_OF_ADDRESS ? 0 : 1)
  return arrivals.toSorted((left, right) => turnOf(left) - turnOf(right))
}
