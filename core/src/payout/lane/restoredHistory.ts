/**
 * Said to tables that were restored from a backup, before any host works on them: their lanes and leases belong to a history that is over.
 * So every lane is compared with its chain, and settles, before it signs, also where the same server as before restored them
 * (faults.md F121). Tables of a version that knows no history are left as they are.
 */
export const RESTORED_HISTORY_SQL = `
do $$ begin
  if exists (select from information_schema.columns
      where table_schema = current_schema() and table_name = 'lanes' and column_name = 'history') then
    update lanes set history = 'restored';
    update leases set history = 'restored', expires_at = least(expires_at, clock_timestamp());
  end if;
  if to_regclass('database_id') is not null then
    update database_id set history = 'restored', noted = 'restored',
      heights = (select jsonb_object_agg(chain_id::text, height::text) from chain_cursors);
  end if;
end $$;
`
