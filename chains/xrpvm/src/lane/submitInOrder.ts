import type { BroadcastResult, SignedAttempt } from '@causeway/core/chain'
import { answerOf, broadcastInTurn, type JsonRpcClient, type JsonRpcNode, resultOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { broadcastResultOf } from './engineResults.js'
import { readNumbered } from './numberedTransaction.js'

const SUBMIT = 'submit'

const readSubmitted = answerOf(Type.Object({ engine_result: Type.String({ pattern: '^te[a-zA-Z_0-9]{1,60}$' }) }))

/** Sends the bytes of one transaction to one server. */
const submitTo = async (node: JsonRpcNode, { raw }: SignedAttempt, signal: AbortSignal): Promise<BroadcastResult> => {
  const [outcome] = await node.batch([{ method: SUBMIT, params: [{ tx_blob: raw.slice(2).toUpperCase() }] }], signal)
  if (outcome?.ok === false) {
    // It was not even tried: the server is busy, or has lost its network.
    return { outcome: 'unknown', message: `A server did not take the payment (${outcome.error.message}).` }
  }
  return broadcastResultOf(readSubmitted(resultOf(outcome, SUBMIT)).engine_result)
}

const queueOf = ({ transaction }: SignedAttempt): string => {
  const { Account, TicketSequence } = readNumbered(transaction)
  return TicketSequence === undefined ? Account : `${Account} ${TicketSequence}`
}

const numberOf = ({ transaction }: SignedAttempt): number => {
  const { Sequence, TicketSequence } = readNumbered(transaction)
  return TicketSequence ?? Sequence
}

/**
 * Sends transactions side by side, those with an account's numbers in order one after the other: a server keeps few that come before their
 * turn. Never throws; results in the order given.
 */
export const submitInOrder = async (
  { pool }: Pick<JsonRpcClient, 'pool'>,
  attempts: readonly SignedAttempt[],
): Promise<readonly BroadcastResult[]> => {
  const queues = new Map<string, SignedAttempt[]>()
  for (const attempt of attempts) queues.set(queueOf(attempt), [...(queues.get(queueOf(attempt)) ?? []), attempt])
  const results = new Map<SignedAttempt, BroadcastResult>()
  const sendAll = async (queue: readonly SignedAttempt[]) => {
    for (const attempt of [...queue].sort((left, right) => numberOf(left) - numberOf(right)))
      results.set(attempt, await broadcastInTurn(pool, (node, signal) => submitTo(node, attempt, signal)))
  }
  await Promise.all([...queues.values()].map(sendAll))
  return attempts.map((attempt) => results.get(attempt) ?? { outcome: 'unknown', message: 'It was not sent.' })
}
