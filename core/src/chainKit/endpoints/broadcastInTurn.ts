import type { BroadcastResult } from '../../chain/laneAdapter.js'
import type { Endpoint, Question } from './endpoint.js'

/**
 * Sends one transaction to one node after the other until one takes it; never throws. Refused only when all refuse: nodes differ in
 * their rules and in what they know. After a node that did not answer, another one's refusal proves nothing: the first may
 * have passed it on (faults.md F54). `send` sends it once and says what the node's answer means.
 */
export const broadcastInTurn = async <Client>(
  pool: { ordered(): readonly Endpoint<Client>[] },
  send: Question<Client, BroadcastResult>,
): Promise<BroadcastResult> => {
  let [doubtful, refused]: (BroadcastResult | null)[] = [null, null]
  for (const endpoint of pool.ordered()) {
    const result = await endpoint
      .ask(send)
      .catch((): BroadcastResult => ({ outcome: 'unknown', message: 'A node of this chain could not be reached' }))
    if (result.outcome === 'known') return result
    if (result.outcome === 'rejected') refused ??= result
    else doubtful ??= result
  }
  return doubtful ?? refused ?? { outcome: 'unknown', message: 'No node of this chain can be trusted now' }
}
