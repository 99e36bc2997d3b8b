import type { PoolClient } from 'pg'
import type { BroadcastResult } from '../../chain/laneAdapter.js'
import { locatorMember } from '../../chain/txLocator.js'
import { changeStatuses, type StatusChange } from '../../request/changeStatus.js'
import { type RequestTx, saveRequestTxs } from '../../request/requestTxs.js'
import type { StoredAttempt, StoredPayout } from '../payoutRecord.js'
import { WATCHDOG_MS } from '../watchdog.js'

const BROADCAST = {
  name: 'attempts_broadcast',
  text: `with b as (
      select * from jsonb_to_recordset($1::jsonb) as b(payout_id bigint, generation int, version int, state text, message text, next_ms bigint)
    ), marked as (
      update payout_attempts a set state = b.state, message = b.message, broadcast_at = to_timestamp($2 / 1000.0)
      from b where a.payout_id = b.payout_id and a.generation = b.generation and a.version = b.version
        and a.state in ('stored', 'broadcast', 'rejected')
    )
    update payouts p set next_action = 'track', next_action_at = to_timestamp(b.next_ms / 1000.0),
      first_broadcast_at = coalesce(p.first_broadcast_at, to_timestamp($2 / 1000.0)), updated_at = to_timestamp($2 / 1000.0)
    from b where p.id = b.payout_id and p.state = 'signed' and p.next_action in ('broadcast', 'track')`,
}

export interface AttemptBroadcast {
  readonly payout: StoredPayout
  readonly attempt: Pick<StoredAttempt, 'generation' | 'version' | 'txId' | 'locator' | 'kind'>
  readonly result: BroadcastResult
  /** Unix milliseconds of the next look at it. */
  readonly nextAt: number
}

/** Records what became of broadcasts; a fill's request is `submitted` from now on. */
export const recordBroadcasts = async (
  client: PoolClient,
  broadcasts: readonly AttemptBroadcast[],
  now: number,
): Promise<void> => {
  if (broadcasts.length === 0) return
  const rows = broadcasts.map(({ payout, attempt, result, nextAt }) => ({
    payout_id: payout.id,
    generation: attempt.generation,
    version: attempt.version,
    state: result.outcome === 'rejected' ? 'rejected' : 'broadcast',
    message: result.outcome === 'known' ? null : result.message.slice(0, 500),
    next_ms: nextAt,
  }))
  const sent = broadcasts.filter(({ attempt, result }) => attempt.kind === 'pay' && mayLand(result))
  const changes = sent.flatMap((item) => toSubmitted(item, now))
  await Promise.all([
    client.query({ ...BROADCAST, values: [JSON.stringify(rows), now] }),
    saveRequestTxs(client, sent.flatMap(toPendingTx), now),
    changeStatuses(client, changes, now),
  ])
}

/** What was refused or came too late is no transaction to tell of, though it is followed: another node may have taken it. */
const mayLand = ({ outcome }: BroadcastResult): boolean => outcome === 'known' || outcome === 'unknown'

/** A withdrawal is no part of a record before it is in a block. */
const toPendingTx = ({ payout, attempt }: AttemptBroadcast): RequestTx[] =>
  payout.requestId === null || payout.purpose === 'origin' || payout.purpose === 'withdraw'
    ? []
    : [
        {
          requestId: payout.requestId,
          direction: 'out',
          purpose: payout.purpose,
          chainId: payout.chainId,
          txId: attempt.txId,
          ...locatorMember(attempt),
          position: 0,
          block: null,
          fee: null,
          status: 'pending',
          data: null,
          reorg: null,
        },
      ]

const toSubmitted = ({ payout }: AttemptBroadcast, now: number): StatusChange[] =>
  payout.requestId !== null && payout.purpose === 'fill' && payout.inclusions === 0
    ? [{ requestId: payout.requestId, to: 'submitted', next: { action: 'await-payout', at: now + WATCHDOG_MS } }]
    : []
