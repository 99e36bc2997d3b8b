/**
 * Why the request `r` (an alias of `requests`) was not paid, where an operator sent its money back and that took the place of the reason
 * (wire.md C.2): what the event of its failure said. Null where nothing took its place, and once the event was dropped after its time.
 */
export const firstFailReasonOf = (r: string): string =>
  `case when ${r}.fail_reason = 'MANUAL_ADMIN_REFUND' then (select e.payload::jsonb->>'failReason' from request_events e
    where e.request_id = ${r}.id and e.status = 'failure' and e.payload::jsonb->>'failReason' <> 'MANUAL_ADMIN_REFUND'
    order by e.version desc limit 1) end`
