/** Money that leaves: payouts, their signed attempts and guards, and the lanes that sign (architecture.md 3, sign - store - broadcast). */
export const payoutsSql = `
create table payouts (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim')),
  cause text not null,
  deposit_id bigint references deposits,
  request_id bytea references requests,
  order_id bytea,
  chain_id bigint not null,
  signer text not null,
  recipient text not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  -- Kept from the deposit when this payout is included (fill: all fees; refund: its gas), in the deposit's currency.
  fees numeric(78, 0) not null default 0,
  data text,
  state text not null check (state in ('ready', 'signed', 'included', 'final', 'dead', 'abandoned')),
  generation integer not null default 0,
  inclusions integer not null default 0,
  included_height bigint,
  included_at timestamptz,
  fail_reason text,
  details text,
  attempts integer not null default 0,
  first_broadcast_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_action text,
  next_action_at timestamptz,
  unique (purpose, cause),
  constraint payouts_deposit check (purpose not in ('fill', 'refund', 'excess', 'withdraw') or deposit_id is not null),
  constraint payouts_next_action check (
    (next_action is null) = (next_action_at is null)
    and (state in ('final', 'dead', 'abandoned')) = (next_action is null))
);
create index payouts_due on payouts (chain_id, next_action_at) where next_action is not null;
create index payouts_open on payouts (chain_id, signer, state) where state in ('ready', 'signed', 'included');
create index payouts_request on payouts (request_id);
create index payouts_deposit on payouts (deposit_id);

-- A generation is one chance to land. At most one is live.
create table payout_generations (
  payout_id bigint not null references payouts,
  generation integer not null,
  state text not null check (state in ('live', 'dead')),
  proof text,
  primary key (payout_id, generation)
);
create unique index payout_generations_live on payout_generations (payout_id) where state = 'live';

create table payout_attempts (
  payout_id bigint not null,
  generation integer not null,
  version integer not null,
  kind text not null check (kind in ('pay', 'cancel')),
  chain_id bigint not null,
  tx_id text not null,
  raw text not null,
  prepared text not null,
  fee_cap numeric(78, 0) not null,
  state text not null check (state in ('stored', 'broadcast', 'rejected', 'included', 'reverted')),
  message text,
  block_height bigint,
  block_hash text,
  fee numeric(78, 0),
  epoch bigint not null,
  created_at timestamptz not null,
  broadcast_at timestamptz,
  primary key (payout_id, generation, version),
  foreign key (payout_id, generation) references payout_generations,
  unique (chain_id, tx_id)
);

-- A nonce, a seqno, an outpoint, a signed authorisation: held by one payout; another takes it only after the holder is proven dead.
create table payout_guards (
  chain_id bigint not null,
  guard_key text not null,
  payout_id bigint not null references payouts,
  generation integer not null,
  primary key (chain_id, guard_key)
);
create index payout_guards_payout on payout_guards (payout_id, generation);

create table lanes (
  chain_id bigint not null,
  signer text not null,
  state text not null check (state in ('open', 'quarantined')),
  position text not null,
  height bigint not null,
  reason text,
  updated_at timestamptz not null,
  primary key (chain_id, signer)
);

-- Outgoing transactions found on the chain that the journal did not know (a backup put back, a second deployment).
create table imported_transactions (
  chain_id bigint not null,
  tx_id text not null,
  signer text not null,
  guard_keys text not null,
  order_id bytea,
  purpose text,
  recipient text not null,
  currency text not null,
  amount numeric(78, 0) not null,
  status text not null,
  block_height bigint,
  block_hash text,
  payout_id bigint references payouts,
  released_at timestamptz,
  created_at timestamptz not null,
  primary key (chain_id, tx_id)
);
create index imported_order on imported_transactions (order_id);
`
