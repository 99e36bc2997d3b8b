/**
 * What is dropped after its time (architecture.md 6, Retention), by whole partitions. Quotes are kept by the date until which they
 * must be, weeks together: every search by an id looks into each partition, and days would be five times as many.
 */
export const retentionSql = `
-- Makes the partitions of weeks or months ('week', 'month') that hold two instants and what lies between. Nobody who writes waits
-- for long: what cannot be locked at once is made the next time, and partitions are made long before they are needed.
create function keep_spans(p_table text, p_unit text, p_first timestamptz, p_last timestamptz) returns void language plpgsql as $$
declare
  step constant interval := ('1 ' || p_unit)::interval;
  first timestamp := date_trunc(p_unit, p_first at time zone 'UTC');
  name text;
begin
  loop
    name := p_table || '_' || to_char(first, 'YYYYMMDD');
    if to_regclass(name) is null then
      -- Hosts that start together take turns.
      perform pg_advisory_xact_lock(hashtext('keep_spans ' || p_table));
      perform set_config('lock_timeout', '100ms', true);
      begin
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
          name, p_table, first at time zone 'UTC', (first + step) at time zone 'UTC');
      exception
        -- The clock jumped: rows of that time already lie in the default partition and stay there.
        when check_violation then null;
        when lock_not_available then return;
      end;
    end if;
    first := first + step;
    exit when first > p_last at time zone 'UTC';
  end loop;
end $$;

-- What was dropped with something in it, and when; so it can be told.
create table dropped_partitions (
  name text primary key,
  dropped_at timestamptz not null
);

-- Drops the oldest partition that ended at an instant or before, and gives its name; null: there is none, another host does it, or
-- somebody reads the table: those who wait behind this must not wait for them.
create function drop_span(p_table text, p_unit text, p_before timestamptz, p_at timestamptz) returns text language plpgsql as $$
declare
  name text;
  held_rows boolean;
begin
  if not pg_try_advisory_xact_lock(hashtext('drop_span ' || p_table)) then return null; end if;
  select c.relname into name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = p_table::regclass and c.relname ~ ('^' || p_table || '_[0-9]{8}$')
      and to_timestamp(right(c.relname, 8), 'YYYYMMDD')::timestamp + ('1 ' || p_unit)::interval <= p_before at time zone 'UTC'
    order by c.relname limit 1;
  if name is null then return null; end if;
  perform set_config('lock_timeout', '100ms', true);
  begin
    execute format('lock table only %I, %I in access exclusive mode', p_table, name);
    execute format('select exists (select from %I)', name) into held_rows;
    execute format('drop table %I', name);
  exception when lock_not_available then return null;
  end;
  if held_rows then
    insert into dropped_partitions (name, dropped_at) values (name, p_at) on conflict do nothing;
  end if;
  return name;
end $$;

-- Quotes by how long they must be kept: 'weeks' those of everybody, 'long' those whose order lives longer than unpaid quotes are
-- kept (an address to pay to), 'before' those of the time before this table; these are kept as if they had been made now.
alter table quotes rename to quotes_before;
alter table quotes_default rename to quotes_before_default;
alter table quotes_before drop constraint quotes_pkey;
alter index quotes_order rename to quotes_before_order;

-- For hosts of the version before, which do not say it.
create function quote_keep_until() returns timestamptz volatile language sql as
  $$ select clock_timestamp() + (select offset_ms from clock_offset) * interval '1 millisecond' + interval '30 days' $$;

create table quotes (
  like quotes_before,
  kept text not null default 'weeks',
  keep_until timestamptz not null default quote_keep_until()
) partition by list (kept);
create index quotes_id on quotes (id);
create index quotes_order on quotes (order_id);

create table quotes_weeks partition of quotes for values in ('weeks') partition by range (keep_until);
create table quotes_weeks_default partition of quotes_weeks default;
create index quotes_weeks_default_until on quotes_weeks_default (keep_until);
create table quotes_long partition of quotes for values in ('long');
create index quotes_long_until on quotes_long (keep_until);

do $$
begin
  if not exists (select from quotes_before) then
    drop table quotes_before;
    return;
  end if;
  alter table quotes_before add column kept text not null default 'before';
  execute format('alter table quotes_before add column keep_until timestamptz not null default %L', quote_keep_until());
  alter table quotes attach partition quotes_before for values in ('before');
end $$;

-- Hosts of the version before ask for the partitions of quotes by this function.
create or replace function ensure_partitions(p_table text, p_at timestamptz) returns void language plpgsql as $$
begin
  if p_table = 'quotes' then
    perform keep_spans('quotes_weeks', 'week', p_at, p_at + interval '37 days');
  else
    perform keep_spans(p_table, 'week', p_at - interval '7 days', p_at + interval '21 days');
  end if;
end $$;

-- Drops one partition of quotes whose time is over, and gives its name; null as for drop_span.
create function drop_quotes(p_at timestamptz) returns text language plpgsql as $$
begin
  if to_regclass('quotes_before') is null then return drop_span('quotes_weeks', 'week', p_at, p_at); end if;
  if exists (select from quotes_before where keep_until > p_at) then return drop_span('quotes_weeks', 'week', p_at, p_at); end if;
  perform set_config('lock_timeout', '100ms', true);
  drop table if exists quotes_before;
  insert into dropped_partitions (name, dropped_at) values ('quotes_before', p_at) on conflict do nothing;
  return 'quotes_before';
exception when lock_not_available then return null;
end $$;

-- Removes some thousand quotes whose time is over from a partition that others share with them; how many.
create function drop_quote_rows(p_table text, p_at timestamptz) returns integer language plpgsql as $$
declare
  removed integer;
begin
  execute format('delete from %I where ctid = any(array(select ctid from %I where keep_until <= $1 order by keep_until limit 5000 for update skip locked))',
    p_table, p_table) using p_at;
  get diagnostics removed = row_count;
  if removed > 0 then
    insert into dropped_partitions (name, dropped_at) values (p_table, p_at) on conflict (name) do update set dropped_at = excluded.dropped_at;
  end if;
  return removed;
end $$;

-- Tables with the place (xid, seq) of a reader of the outbox that must miss nothing.
create table outbox_readers (
  cursor_table text primary key
);

-- Drops the oldest week of events that ended at p_before or earlier, but what a reader has not taken only once it ended at p_latest.
create function drop_events(p_before timestamptz, p_latest timestamptz, p_at timestamptz) returns text language plpgsql as $$
declare
  reader text;
  oldest text;
  missed boolean;
begin
  select c.relname into oldest from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'request_events'::regclass and c.relname ~ '^request_events_[0-9]{8}$' order by c.relname limit 1;
  if oldest is null then return null; end if;
  for reader in select cursor_table from outbox_readers where to_regclass(cursor_table) is not null loop
    execute format('select exists (select from %I e, %I c where (e.xid, e.seq) > (c.xid, c.seq))', oldest, reader) into missed;
    if missed then return drop_span('request_events', 'week', p_latest, p_at); end if;
  end loop;
  return drop_span('request_events', 'week', p_before, p_at);
end $$;

-- The audit by months. As before only added to: what is over is dropped with its month.
alter table operator_audit rename to operator_audit_before;
alter table operator_audit_before rename constraint operator_audit_pkey to operator_audit_before_pkey;
alter index operator_audit_subject rename to operator_audit_before_subject;
create table operator_audit (
  id bigint generated always as identity,
  at timestamptz not null,
  actor text not null check (actor <> ''),
  action text not null check (action <> ''),
  subject text not null,
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  primary key (id, at)
) partition by range (at);
create index operator_audit_order on operator_audit (subject, id);
create table operator_audit_default partition of operator_audit default;
do $$
begin
  perform keep_spans('operator_audit', 'month', coalesce((select min(at) from operator_audit_before), now()), now());
end $$;
insert into operator_audit overriding system value select * from operator_audit_before;
select setval(pg_get_serial_sequence('operator_audit', 'id'), greatest((select max(id) from operator_audit), 0) + 1, false);
drop table operator_audit_before;
create trigger operator_audit_fixed before update or delete or truncate on operator_audit
  for each statement execute function refuse_audit_change();
create trigger operator_audit_row_fixed before update or delete on operator_audit
  for each row execute function refuse_audit_change();
`
