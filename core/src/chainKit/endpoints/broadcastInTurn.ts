import type { BroadcastResult } from '../../chain/laneAdapter.js'
import { BroadcastTally } from './broadcastTally.js'
import type { Endpoint, Question } from './endpoint.js'

/**
 * Sends one transaction to one node after the other until one takes it, and then to one node more; never throws. Rejected only when
 * all reject: nodes differ in their rules and in what they know. After a node that did not answer, another one's refusal proves
 * nothing: the first may have passed it on (faults.md F54). `send` sends it once and says what the node's answer means.
 */
export const broadcastInTurn = async <Client>(
  pool: { ordered(): readonly Endpoint<Client>[] },
  send: Question<Client, BroadcastResult>,
): Promise<BroadcastResult> => {
  const tally = new BroadcastTally()
  for (const endpoint of pool.ordered()) {
    if (tally.isTaken) {
      // The first one may keep it to itself. Not waited for: it changes no answer.
      void endpoint.ask(send).catch(() => undefined)
      break
    }
    tally.note(
      await endpoint
        .ask(send)
        .catch((): BroadcastResult => ({ outcome: 'unknown', message: 'A node of this chain could not be reached' })),
    )
  }
  return tally.result()
}
