import { ServiceError } from '@causeway/core'
import type { BalanceQuery, Balances } from '@causeway/core/chain'
import { askSideBySide } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { askAccount, askRelation } from '../rpc/accounts.js'
import { askNewest } from '../rpc/blocks.js'
import type { Asked } from '../rpc/mirrorNode.js'

/** A block comes about every two seconds, and mirror nodes show balances of their newest block only. */
const MOST_TRIES = 8
/** Questions that are surely answered within one block; more than that are of the first block or newer ones. */
const MOST_STABLE = 40
const AT_ONCE = 20

/**
 * Balances of one block: read again where a new block came in between, until none did or two readings in a row agree, which are then those of
 * the newest block between them.
 * @throws ServiceError when the node does not answer, or blocks come faster than answers
 */
export const readBalances = async (asked: Asked, queries: readonly BalanceQuery[]): Promise<Balances> => {
  let before = await askNewest(asked)
  let last = ''
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const amounts = await askSideBySide(queries, (query) => readOne(asked, query), {
      signal: undefined,
      atOnce: AT_ONCE,
    })
    const after = await askNewest(asked)
    const read = amounts.join()
    const isOfOne = after.height === before.height || read === last
    if (isOfOne || queries.length > MOST_STABLE) return { amounts, height: before.height }
    before = after
    last = read
  }
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    'A mirror node of this chain is too slow to show balances of one block.',
  )
}

const readOne = async (asked: Asked, { address, currency }: BalanceQuery): Promise<bigint> =>
  currency === NATIVE
    ? ((await askAccount(asked, address))?.balance ?? 0n)
    : ((await askRelation(asked, address, currency))?.balance ?? 0n)
