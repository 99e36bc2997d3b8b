import type { Migration } from '@causeway/core'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_webhooks',
    up: `
-- One for each key; its URL, headers and secret are the sealed value of sealed_id.
create table webhook_endpoints (
  id bigint generated always as identity primary key,
  api_key_id text not null unique,
  sealed_id uuid not null unique,
  -- Grows with every change, so that senders know when to read the sealed value again.
  version integer not null default 1,
  enabled boolean not null,
  -- Why the service turned it off; null where its owner did.
  disabled_reason text check (disabled_reason in ('failing', 'key revoked')),
  -- The first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null
);

-- How far the outbox has been put into the queue. Begins now: before, there was no endpoint.
create table webhook_cursor (
  one boolean primary key default true check (one),
  xid xid8 not null,
  seq bigint not null
);
insert into webhook_cursor (xid, seq) values (outbox_place(pg_snapshot_xmin(pg_current_snapshot())), 0);

-- Deliveries that are not over. Those of a request go out in the order of their ids.
create table webhook_queue (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null,
  request_id bytea not null,
  event_id uuid not null,
  status text not null,
  body text not null,
  event_at timestamptz not null,
  queued_at timestamptz not null,
  attempts integer not null default 0,
  tries jsonb not null default '[]',
  replay_of bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index webhook_queue_stream on webhook_queue (endpoint_id, request_id, id);
create index webhook_queue_listing on webhook_queue (endpoint_id, id);

-- One for each endpoint and request with deliveries in the queue: what senders take, so that one delivery is under way. Whoever
-- puts something into the queue, or takes the last out of it, holds this row first.
create table webhook_streams (
  endpoint_id bigint not null,
  request_id bytea not null,
  next_at timestamptz not null,
  claimed_by uuid,
  primary key (endpoint_id, request_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index webhook_streams_due on webhook_streams (endpoint_id, next_at) where claimed_by is null;
create index webhook_streams_claimed on webhook_streams (claimed_by) where claimed_by is not null;

-- Processes that send. What a process claimed that is no longer here is free again.
create unlogged table webhook_senders (
  id uuid primary key,
  alive_until timestamptz not null
);

-- Deliveries that are over, by day.
create table webhook_deliveries (
  id bigint not null,
  endpoint_id bigint not null,
  request_id bytea not null,
  event_id uuid not null,
  status text not null,
  body text not null,
  event_at timestamptz not null,
  queued_at timestamptz not null,
  ended_at timestamptz not null,
  outcome text not null check (outcome in ('delivered', 'parked')),
  reason text,
  tries jsonb not null,
  replay_of bigint,
  replayed boolean not null default false,
  primary key (id, ended_at)
) partition by range (ended_at);
create table webhook_deliveries_default partition of webhook_deliveries default;
create index webhook_deliveries_listing on webhook_deliveries (endpoint_id, id);

-- Partitions from the day before to three days after an instant; those that ended p_days before it are dropped.
create function keep_webhook_partitions(p_at timestamptz, p_days integer) returns void language plpgsql as $$
declare
  today constant timestamptz := date_trunc('day', p_at at time zone 'UTC') at time zone 'UTC';
  first timestamptz;
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('keep_webhook_partitions'));
  perform set_config('lock_timeout', '2s', true);
  for day in -1..3 loop
    first := today + day * interval '1 day';
    name := 'webhook_deliveries_' || to_char(first at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(name) is null then
      begin
        execute format('create table %I partition of webhook_deliveries for values from (%L) to (%L)',
          name, first, first + interval '1 day');
      exception when check_violation then
        -- The clock jumped: rows of that day already lie in the default partition and stay there.
        null;
      end;
    end if;
  end loop;
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_deliveries'::regclass and c.relname ~ '^webhook_deliveries_[0-9]{8}$'
      and c.relname < 'webhook_deliveries_' || to_char((today - p_days * interval '1 day') at time zone 'UTC', 'YYYYMMDD')
  loop
    execute format('drop table %I', name);
  end loop;
  delete from webhook_deliveries_default where ended_at < today - p_days * interval '1 day';
end $$;
`,
  },
  {
    name: '0002_last_failure',
    up: `
-- The last failure since the last success.
alter table webhook_endpoints add column failed_at timestamptz;
update webhook_endpoints set failed_at = failing_since;
`,
  },
]
