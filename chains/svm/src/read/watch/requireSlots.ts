import { ServiceError } from '@causeway/core'
import type { BoundNode } from './boundNode.js'

/**
 * Rejects a node that has cleaned up slots from `from` on, because its lists lack their transactions: the next node is asked. A node that
 * does not report its first slot passes.
 * @throws ServiceError SERVICE_UNAVAILABLE with the slots that are missing
 */
export const requireSlots = async ({ ask, endpoint }: BoundNode, from: bigint): Promise<void> => {
  const [outcome] = await ask([{ method: 'getFirstAvailableBlock', params: [] }])
  const first = outcome?.ok === true ? BigInt(outcome.result as number) : 0n
  if (first <= from) return
  endpoint.rest()
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `A node of this chain has no slots from ${from} to ${first - 1n}, where deposits may be. Configure a node that has them.`,
  )
}
