import type { Migration } from '@causeway/core/plugin'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_usage',
    up: `
-- Calls per key, operation and outcome, by minute and so kept by day.
create table usage_counts (
  integrator_id text not null,
  minute timestamptz not null,
  api_key_id text not null,
  endpoint text not null,
  status smallint not null,
  -- Empty where there is none.
  error_code text not null,
  count bigint not null,
  primary key (integrator_id, minute, api_key_id, endpoint, status, error_code)
) partition by range (minute);
create table usage_counts_default partition of usage_counts default;

-- Partitions from the day before to three days after an instant; those that ended p_days before it are dropped.
create function keep_usage_partitions(p_at timestamptz, p_days integer) returns void language plpgsql as $$
declare
  today constant timestamptz := date_trunc('day', p_at at time zone 'UTC') at time zone 'UTC';
  first timestamptz;
  name text;
begin
  -- Hosts that do this at once take turns, and counting waits for nobody for long.
  perform pg_advisory_xact_lock(hashtext('keep_usage_partitions'));
  perform set_config('lock_timeout', '2s', true);
  for day in -1..3 loop
    first := today + day * interval '1 day';
    name := 'usage_counts_' || to_char(first at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      begin
        execute format('create table %I partition of usage_counts for values from (%L) to (%L)',
          name, first, first + interval '1 day');
      exception when check_violation then
        -- The clock jumped: rows of that day already lie in the default partition and stay there.
        null;
      end;
    end if;
  end loop;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_counts'::regclass and c.relname ~ '^usage_counts_[0-9]{8}$'
      and c.relname < 'usage_counts_' || to_char((today - p_days * interval '1 day') at time zone 'UTC', 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
  end loop;
  delete from usage_counts_default where minute < today - p_days * interval '1 day';
end $$;
`,
  },
  {
    name: '0002_shared_partitions',
    up: `
-- Core does this for every table of days now (keep_day_partitions).
drop function keep_usage_partitions(timestamptz, integer);
`,
  },
]
