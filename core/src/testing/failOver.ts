import type pg from 'pg'

/**
 * Makes a database say that its server was promoted, as it does after a failover (faults.md F121); what it lost is for the caller to
 * delete.
 */
export const failOver = async (pool: pg.Pool): Promise<void> => {
  await pool.query(
    `do $do$ begin
       execute format('create or replace function server_history() returns text language sql as $fn$ select %L $fn$',
         server_history() || '+');
     end $do$`,
  )
}
