/** Keeps a table that is partitioned by days, for what is kept so many days and then dropped. */
export const dayPartitionsSql = `
-- Partitions from the day before to three days after an instant; those that ended p_days before it are dropped, and as old rows
-- of the default partition, by the column the table is partitioned by.
create function keep_day_partitions(p_table text, p_column text, p_at timestamptz, p_days integer) returns void language plpgsql as $$
declare
  today constant timestamptz := date_trunc('day', p_at at time zone 'UTC') at time zone 'UTC';
  oldest constant timestamptz := today - p_days * interval '1 day';
  first timestamptz;
  name text;
begin
  -- Hosts that do this at once take turns, and nobody who writes waits for long.
  perform pg_advisory_xact_lock(hashtext('keep_day_partitions ' || p_table));
  perform set_config('lock_timeout', '2s', true);
  for day in -1..3 loop
    first := today + day * interval '1 day';
    name := p_table || '_' || to_char(first at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      begin
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          name, p_table, first, first + interval '1 day');
      exception when check_violation then
        -- The clock jumped: rows of that day already lie in the default partition and stay there.
        null;
      end;
    end if;
  end loop;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = p_table::regclass and c.relname ~ ('^' || p_table || '_[0-9]{8}$')
      and c.relname < p_table || '_' || to_char(oldest at time zone 'UTC', 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
  end loop;
  execute format('delete from %I where %I < %L', p_table || '_default', p_column, oldest);
end $$;
`
