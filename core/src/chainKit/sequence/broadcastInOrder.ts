import type { BroadcastResult, SignedAttempt } from '../../chain/laneAdapter.js'
import { broadcastInTurn } from '../endpoints/broadcastInTurn.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { readSequenceGuard } from './numbers/sequenceGuard.js'

/** How one transaction is sent, and which wait for which. */
export interface OrderedSending<Client> {
  /** Sends it to one node and says what the answer means. */
  send(client: Client, attempt: SignedAttempt, signal: AbortSignal): Promise<BroadcastResult>
  /** Whether its number was held aside, so that it waits for no other one. */
  isAside(attempt: SignedAttempt): boolean
}

/**
 * Sends transactions side by side, those of one account in the order of their numbers: a node keeps few that come before their turn.
 * Serves `broadcast` of a chain in strict order. Never throws.
 */
export const broadcastInOrder = async <Client>(
  pool: { ordered(): readonly Endpoint<Client>[] },
  attempts: readonly SignedAttempt[],
  { send, isAside }: OrderedSending<Client>,
): Promise<readonly BroadcastResult[]> => {
  const queues = new Map<string, { readonly attempt: SignedAttempt; readonly sequence: bigint }[]>()
  for (const attempt of attempts) {
    const [slot] = attempt.guards.flatMap((guard) => readSequenceGuard(guard) ?? [])
    const name = slot === undefined || isAside(attempt) ? attempt.txId : slot.account
    queues.set(name, [...(queues.get(name) ?? []), { attempt, sequence: slot?.sequence ?? 0n }])
  }
  const results = new Map<SignedAttempt, BroadcastResult>()
  await Promise.all(
    [...queues.values()].map(async (queue) => {
      for (const { attempt } of queue.sort((left, right) => (left.sequence < right.sequence ? -1 : 1)))
        results.set(attempt, await broadcastInTurn(pool, (client, signal) => send(client, attempt, signal)))
    }),
  )
  return attempts.map((attempt) => results.get(attempt) ?? { outcome: 'unknown', message: 'It was not sent.' })
}
