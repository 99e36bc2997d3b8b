import { larger } from '../../../money/compare.js'
import { readAtProviders } from '../../lane/readAtProviders.js'
import { nextOf } from '../numbers/accountNumbers.js'
import type { LaneSince, SentTransaction } from '../sequenceChain.js'
import type { ReadingDeps } from './readAccount.js'

/**
 * Whether an account has sent anything, as any provider shows (`LaneAdapter.hasSent`). In strict order its last number tells: nothing older
 * is listed.
 * @throws ServiceError SERVICE_UNAVAILABLE when too few providers answer
 */
export const hasSent = async <Node>(
  account: string,
  { chain, pool, strict }: Pick<ReadingDeps<Node>, 'chain' | 'pool' | 'strict'>,
): Promise<boolean> => {
  const sinceAt = async (node: Node): Promise<LaneSince | null | 'nothing'> => {
    if (!strict) return null
    const next = nextOf(await chain.read(node, { account, attempts: [] }))
    return next === null || next.newest === 0n ? 'nothing' : { sequence: larger(next.newest - 1n, 0n) }
  }
  const { found } = await readAtProviders(
    pool,
    async (node) => {
      const since = await sinceAt(node)
      const sent = since === 'nothing' ? [] : (await chain.list(node, account, since)).transactions
      return { found: sent, complete: true }
    },
    ({ tx, block }: SentTransaction) => ({ id: tx.id, included: block !== null }),
  )
  return found.length > 0
}
