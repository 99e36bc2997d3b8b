import type { Migration } from '@causeway/core/plugin'

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
  -- The last one since.
  failed_at timestamptz,
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
`,
  },
  {
    name: '0002_reader',
    up: `
-- Events are kept until they are in the queue.
insert into outbox_readers (cursor_table) values ('webhook_cursor');
`,
  },
  {
    name: '0003_fewer_writes',
    up: `
-- Rows of both go within seconds, and no statement has a plan that statistics would change.
alter table webhook_queue set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table webhook_streams set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
`,
  },
]
