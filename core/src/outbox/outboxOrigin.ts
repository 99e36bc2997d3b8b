import type { Pool } from 'pg'

/** The number that the next transaction of the server may get. */
const NEXT = '(select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next) n'

/**
 * Lets new events come after all that are stored. The places of events are numbers of transactions, and a database that was
 * restored into another server meets lower ones. To be called before anything is written.
 */
export const alignOutbox = async (pool: Pool): Promise<void> => {
  await pool.query({
    name: 'align_outbox',
    text: `update outbox_origin o set added = l.last - n.next + 1
    from ${NEXT}, (
      select greatest((select seen from outbox_origin),
        (select e.xid::text::bigint from request_events e order by e.xid desc limit 1)) as last) l
    where l.last >= n.next + o.added`,
  })
}

/** Notes how far places have been given, for the day when the events that say so are gone. */
export const noteOutbox = async (pool: Pool): Promise<void> => {
  await pool.query(`update outbox_origin set seen = n.next + added - 1 from ${NEXT}`)
}
