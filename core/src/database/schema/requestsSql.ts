/** Quotes, requests, orders, deposits, the record's transactions and facts, and the outbox. */
export const requestsSql = `
-- What POST /quote wrote. Found by id or order id; most are never paid, so they are kept by week.
create table quotes (
  id bytea not null,
  order_id bytea not null,
  created_at timestamptz not null,
  integrator_id text,
  api_key_id text,
  referrer text,
  terms text not null,
  body text not null,
  quoted text not null,
  order_data text not null,
  primary key (id, created_at)
) partition by range (created_at);
create index quotes_order on quotes (order_id);
create table quotes_default partition of quotes default;

-- A quote that was used. A duplicate keeps its parent's order id, hence an index and no unique constraint on it.
create table requests (
  id bytea primary key,
  seq bigint generated always as identity,
  -- The quote whose order id the deposit carried; it may never have become a request itself (dust came first).
  parent_request_id bytea,
  superseded_by bytea references requests,
  order_id bytea,
  status text not null check (status in ('waiting', 'depositing', 'pending', 'submitted', 'success', 'failure', 'refund')),
  version integer not null default 1,
  origin_chain_id bigint not null,
  destination_chain_id bigint not null,
  origin_currency text not null,
  destination_currency text not null,
  user_address text not null,
  recipient text not null,
  refund_to text,
  amount_in numeric(78, 0) not null,
  amount_out numeric(78, 0) not null,
  -- Inventory of the destination is kept for it until its outcome is set.
  committed boolean not null default false,
  -- A reason known from the start: the deposit can only be refunded.
  refund_reason text,
  fail_reason text,
  refund_fail_reason text,
  details text,
  terms text not null,
  integrator_id text,
  api_key_id text,
  referrer text,
  quoted_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_action text,
  next_action_at timestamptz,
  attempts integer not null default 0,
  -- Invariant 4: what is unfinished has a next action with a time.
  constraint requests_next_action check (
    (next_action is null) = (next_action_at is null)
    and (status in ('success', 'failure', 'refund')) = (next_action is null))
);
create index requests_order on requests (order_id);
create index requests_parent on requests (parent_request_id) where parent_request_id is not null;
create index requests_due on requests (destination_chain_id, next_action_at) where next_action is not null;
create index requests_committed on requests (destination_chain_id, destination_currency) where committed;

-- The commitment on the chain; consumed by the first fillable deposit.
create table orders (
  order_id bytea primary key,
  request_id bytea not null references requests,
  consumed_by bigint,
  data text not null,
  created_at timestamptz not null
);

create table deposits (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  tx_id text not null,
  position integer not null,
  onchain_id bytea not null,
  order_id bytea,
  depositor text not null,
  depository text not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  block_height bigint,
  block_hash text,
  block_time timestamptz,
  state text not null check (state in ('seen', 'included', 'dropped', 'reorged', 'failed')),
  -- Counts how often it was included, so that ledger postings and their contra entries pair up.
  inclusions integer not null default 1,
  reorg text,
  request_id bytea references requests,
  parked_reason text,
  outcome text check (outcome in ('fill', 'refund')),
  outcome_reason text,
  outcome_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  unique (chain_id, tx_id, position),
  -- Every deposit belongs to exactly one request or to parked.
  constraint deposits_belong check ((request_id is null) <> (parked_reason is null))
);
alter table orders add constraint orders_consumed_by foreign key (consumed_by) references deposits;
create index deposits_request on deposits (request_id);
create index deposits_order on deposits (order_id);
create index deposits_height on deposits (chain_id, block_height);
create index deposits_to_withdraw on deposits (chain_id, block_height) where withdrawn_at is null and outcome is not null;

-- An outcome is set once. Only the transaction that marks the fill's payout dead may turn fill into refund.
create function guard_outcome() returns trigger language plpgsql as $$
begin
  if old.outcome is null or new.outcome is not distinct from old.outcome then return new; end if;
  if old.outcome = 'fill' and new.outcome = 'refund' and exists (
    select 1 from payouts p where p.deposit_id = old.id and p.purpose = 'fill' and p.state = 'dead'
  ) then return new; end if;
  raise exception 'the outcome of deposit % is already %', old.id, old.outcome using errcode = 'CW001';
end $$;
create trigger deposits_outcome before update of outcome on deposits for each row execute function guard_outcome();

-- Every transaction of a record, in and out (wire.md 3.1 TX).
create table request_txs (
  request_id bytea not null references requests,
  direction text not null check (direction in ('in', 'out')),
  purpose text not null,
  chain_id bigint not null,
  tx_id text not null,
  position integer not null default 0,
  block_height bigint,
  block_hash text,
  block_time timestamptz,
  fee numeric(78, 0),
  status text not null check (status in ('pending', 'success', 'failure')),
  data text,
  state_changes text,
  reorg text,
  created_at timestamptz not null,
  primary key (request_id, direction, chain_id, tx_id, position)
);
create index request_txs_tx on request_txs (tx_id);

-- What the record needs beside the typed rows, kept from the start.
create table request_facts (
  request_id bytea primary key references requests,
  quoted text not null,
  body text not null,
  actual text
);

-- The outbox. Readers take only rows below pg_snapshot_xmin(pg_current_snapshot()), ordered by (xid, seq).
create table request_events (
  seq bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  request_id bytea not null,
  version integer not null,
  status text not null,
  payload text not null,
  created_at timestamptz not null,
  primary key (seq, created_at)
) partition by range (created_at);
create table request_events_default partition of request_events default;
create index request_events_order on request_events (xid, seq);
create index request_events_request on request_events (request_id, version);
`
