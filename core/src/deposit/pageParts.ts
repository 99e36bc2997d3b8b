import type { Arrival } from '../chain/address/depositAddresses.js'
import type { DepositEvent, WatchPage } from '../chain/chainAdapter.js'
import { destinationText } from '../chain/destination.js'

/** What one transaction stores at most: it must be short against the life of the lease (faults.md F14, F132). */
export const PART_SIZE = { arrivals: 500, deposits: 250 } as const
/** Deposits of one order, or payments to one address, in one page: more are not what a user sends. */
const USUAL = 5

/** What one transaction stores of a page. */
export interface PagePart {
  readonly arrivals: readonly Arrival[]
  readonly deposits: readonly DepositEvent[]
}

/**
 * A page as it is stored one part after the other, at least one part: what came to addresses first, so that a deposit that a sweep made finds
 * it stored. Of very many arrivals those at addresses with few come first, of very many deposits those of orders with few, and those without
 * an order id last, so that nobody waits for a stranger's thousands (faults.md F132). Those of one address or order stay in the chain's own
 * order, since the first deposit that fits consumes its order.
 */
export const partsOf = ({ arrivals = [], deposits }: WatchPage): readonly PagePart[] => {
  const ofArrivals = chunksOf(arrivals, PART_SIZE.arrivals, ({ to }) => destinationText(to))
  const [first, ...more] = chunksOf(deposits, PART_SIZE.deposits, ({ orderId }) => orderId)
  return [
    ...ofArrivals.slice(0, -1).map((some) => ({ arrivals: some, deposits: [] })),
    { arrivals: ofArrivals.at(-1) ?? [], deposits: first ?? [] },
    ...more.map((some) => ({ arrivals: [], deposits: some })),
  ]
}

const chunksOf = <Item>(
  items: readonly Item[],
  size: number,
  ownerOf: (item: Item) => string | null,
): readonly (readonly Item[])[] => {
  if (items.length <= size) return [items]
  const counts = new Map<string | null, number>()
  for (const owner of items.map(ownerOf)) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const turnOf = (item: Item): number => {
    const owner = ownerOf(item)
    return owner === null ? 2 : (counts.get(owner) ?? 0) <= USUAL ? 0 : 1
  }
  const ordered = items.toSorted((left, right) => turnOf(left) - turnOf(right))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => ordered.slice(at * size, (at + 1) * size))
}
