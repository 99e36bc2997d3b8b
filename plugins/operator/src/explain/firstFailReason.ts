import type { EventRow, RequestRow } from './explanationRows.js'

const BY_HAND = 'MANUAL_ADMIN_REFUND'

/**
 * Why a request was not paid, where an operator sent its money back and that took the place of the reason (wire.md C.2): what the
 * event of its failure said. Null where nothing took its place, and once the event was dropped after its time.
 */
export const firstFailReason = (
  request: Pick<RequestRow, 'id' | 'fail_reason'>,
  events: readonly Pick<EventRow, 'request_id' | 'status' | 'payload'>[],
): string | null => {
  if (request.fail_reason !== BY_HAND) return null
  const told = events
    .filter(({ request_id, status }) => request_id === request.id && status === 'failure')
    .map(({ payload }): unknown => JSON.parse(payload).failReason)
  const first = told.findLast((reason) => reason !== BY_HAND)
  return typeof first === 'string' ? first : null
}
