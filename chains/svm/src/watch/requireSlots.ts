import { ServiceError } from '@causeway/core'
import type { BoundNode } from './boundNode.js'

/**
 * Has another node read where this one has cleaned up slots from `from` on: what it lists there is not all. A node that does not tell its
 * first block is believed.
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
