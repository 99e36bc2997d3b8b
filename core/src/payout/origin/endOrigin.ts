import type { PoolClient } from 'pg'
import { toBytea } from '../../database/hexBytea.js'
import type { FailReason } from '../../errors/failReason.js'
import { changeStatuses } from '../../request/changeStatus.js'
import type { RequestStatus } from '../../request/requestStatus.js'
import type { StoredPayout } from '../payoutRecord.js'
import { settleSponsor } from './originSponsor.js'

/** Why nothing comes of it. */
export interface OriginFailure {
  readonly reason: FailReason
  /** For a stranger: plain words, no URL. */
  readonly details: string
  /** Its deposit is on the chain by another transaction, if not seen here yet: the request goes on. */
  readonly deposited?: true
}

/** What the request of an origin transaction says when it fails with it. */
export const failedBy = ({ reason, details }: OriginFailure) => ({
  to: 'failure' as const,
  failReason: reason,
  details: `Transaction failed: ${details}`.slice(0, 500),
})

/**
 * An origin transaction that can never be sent ends, in the caller's transaction, and its request is `failure`: nothing was paid in. Not where the deposit
 * came otherwise meanwhile, as by somebody else who submitted the same signature. False, and nothing changes, where it is on its way or over.
 * Whoever calls has the proof that nothing that was signed for it can land.
 */
export const endOrigin = async (
  client: PoolClient,
  { id, requestId, data }: Pick<StoredPayout, 'id' | 'requestId' | 'data'>,
  { reason, details, deposited }: OriginFailure,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query({
    name: 'origin_end',
    text: `update payouts set state = 'dead', fail_reason = $2, details = $3, next_action = null, next_action_at = null,
        trouble = null, trouble_since = null, updated_at = to_timestamp($4 / 1000.0)
      where id = $1 and state = 'ready' and purpose = 'origin'`,
    values: [id, reason, details.slice(0, 500), now],
  })
  if (rowCount !== 1) return false
  await settleSponsor(client, { payoutId: id, borne: data.origin?.borne }, now)
  if (requestId === null) return true
  const { rows } = await client.query<{ status: RequestStatus; deposited: boolean }>({
    name: 'origin_request',
    text: `select r.status, exists (select from deposits d where d.request_id = r.id and d.state = 'included') as deposited
      from requests r where r.id = $1 for update`,
    values: [toBytea(requestId)],
  })
  const [request] = rows
  // What was in a block, left it and can land no more has moved its request to `depositing`.
  const isOpen = request !== undefined && ['waiting', 'depositing'].includes(request.status)
  if (!isOpen || request.deposited || deposited === true) return true
  await changeStatuses(client, [{ requestId, ...failedBy({ reason, details }), alone: true }], now)
  await client.query({
    name: 'origin_uncommit',
    text: 'update requests set committed = false where id = $1 and committed',
    values: [toBytea(requestId)],
  })
  return true
}
