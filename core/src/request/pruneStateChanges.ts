import type { Pool } from 'pg'

/** How long the record of a transaction shows what it moved (wire.md H.3). */
const KEEP_MS = 90 * 86_400_000
/** In one statement, so that no lock is held for long. */
const BATCH = 2_000

/** Forgets what transactions moved 90 days ago; the transactions themselves are kept. */
export const pruneStateChanges = async (pool: Pool, now: number): Promise<void> => {
  let pruned: number
  do {
    const { rowCount } = await pool.query({
      name: 'request_txs_prune',
      text: `update request_txs t set state_changes = null from (
          select ctid from request_txs where state_changes is not null and created_at < to_timestamp($1 / 1000.0)
          order by created_at limit ${BATCH} for update skip locked
        ) old where t.ctid = old.ctid`,
      values: [now - KEEP_MS],
    })
    pruned = rowCount ?? 0
  } while (pruned === BATCH)
}
