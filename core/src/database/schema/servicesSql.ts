/** Leases, the clock's offset, watcher cursors, and the helper that keeps time partitions ahead of the clock. */
export const servicesSql = `
create table leases (
  name text primary key,
  holder uuid,
  epoch bigint not null,
  expires_at timestamptz not null
);

create table clock_offset (
  one boolean primary key default true check (one),
  offset_ms bigint not null
);
insert into clock_offset (offset_ms) values (0);

create table chain_cursors (
  chain_id bigint primary key,
  cursor text not null,
  height bigint not null,
  tip bigint not null,
  updated_at timestamptz not null
);

-- Weekly partitions of an append-only table around an instant: the week before, this one and the three after.
create function ensure_partitions(p_table text, p_at timestamptz) returns void language plpgsql as $$
declare
  first_day timestamptz;
  name text;
begin
  -- Hosts that start together take turns.
  perform pg_advisory_xact_lock(hashtext('ensure_partitions'));
  for week in -1..3 loop
    first_day := date_trunc('week', p_at at time zone 'UTC') at time zone 'UTC' + week * interval '7 days';
    name := p_table || '_' || to_char(first_day at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      begin
        execute format(
          'create table %I partition of %I for values from (%L) to (%L)',
          name, p_table, first_day, first_day + interval '7 days');
      exception when check_violation then
        -- The clock jumped: rows of that week already lie in the default partition and stay there.
        null;
      end;
    end if;
  end loop;
end $$;
`
