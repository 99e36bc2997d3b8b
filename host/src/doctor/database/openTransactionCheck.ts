import type { Diagnosis } from '@causeway/core/chain'
import type { Pool } from 'pg'

/** Our own last a second or so. */
const LONG_SECONDS = 60

/** Transactions that wrote something and stay open: no reader may see an event that was written after they began. */
export const checkOpenTransactions = async (pool: Pool): Promise<readonly Diagnosis[]> => {
  const { rows } = await pool.query<{ pid: number; name: string; database: string; seconds: number; ours: boolean }>(
    `select pid, coalesce(nullif(application_name, ''), 'without a name') as name, coalesce(datname, '') as database,
       extract(epoch from clock_timestamp() - xact_start)::int as seconds, datname = current_database() as ours
     from pg_stat_activity
     where backend_xid is not null and xact_start < clock_timestamp() - $1 * interval '1 second'
     order by xact_start limit 5`,
    [LONG_SECONDS],
  )
  if (rows.length === 0) {
    return [{ check: 'open transactions', subject: 'database', state: 'ok', message: 'none is open for long' }]
  }
  return rows.map(({ pid, name, database, seconds, ours }) => ({
    check: 'open transactions',
    subject: ours ? 'database' : `database ${database}`,
    state: 'fault',
    message: `process ${pid} of the server (${name}) has one open for ${seconds} s; webhooks, websockets and records wait behind it`,
    remedy: `Find out whose it is, and end it: select pg_terminate_backend(${pid}).`,
  }))
}
