import type { BalanceQuery, Balances } from '../../chain/balances.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import { askSideBySide } from './clients/calls/sideBySide.js'

export interface NewestState {
  newest(): Promise<BlockRef>
  /** A balance in the newest block; null where it cannot be told. */
  balanceOf(query: BalanceQuery): Promise<bigint | null>
  /** Balances that are asked for at once. */
  readonly atOnce: number
}

const MOST_TRIES = 8
/** Questions that are surely answered within one block; more than that are of the first block or newer ones. */
const MOST_STABLE = 40

/**
 * Balances of one block at a node that shows its newest state only: read again where a new block came in between, until none did or two readings
 * in a row agree, which are then those of the newest block between them.
 * @throws ServiceError when the node does not answer, or blocks come faster than answers
 */
export const balancesOfOneBlock = async (
  queries: readonly BalanceQuery[],
  { newest, balanceOf, atOnce }: NewestState,
): Promise<Balances> => {
  let before = await newest()
  let last = ''
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const amounts = await askSideBySide(queries, balanceOf, { signal: undefined, atOnce })
    const after = await newest()
    const read = amounts.join()
    const isOfOne = after.hash === before.hash || read === last
    if (isOfOne || queries.length > MOST_STABLE) return { amounts, height: before.height }
    before = after
    last = read
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'A node of this chain is too slow to show balances of one block.')
}
