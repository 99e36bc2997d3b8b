/**
 * Fast fills: orders that are filled before their deposits are in, on the balance of a wallet (wire.md 2.9, G.3); and deposits that become
 * balance of a wallet (wire.md 4.12).
 *
 * - `queued`: accepted, its collateral is set aside; the solver decides.
 * - `filling`: its payout exists, and may never land.
 * - `paid`: its payout is final; what it paid out stands in `exposure` until the deposit is settled, or never comes.
 * - `settled`: the deposit paid it, `debited`: the collateral did, as no deposit came in time, `ended`: nothing was paid.
 */
export const fastFillsSql = `
create table fast_fills (
  request_id bytea primary key references requests,
  order_id bytea not null unique,
  integrator_id text not null,
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  origin_chain_id bigint not null,
  origin_currency text not null,
  destination_chain_id bigint not null,
  -- What the deposit is taken to bring, and what that is worth in the currency of balances; the collateral is no less.
  amount numeric(78, 0) not null check (amount > 0),
  balance_chain_id bigint not null,
  balance_currency text not null,
  worth numeric(78, 0) not null check (worth > 0),
  collateral numeric(78, 0) not null,
  state text not null check (state in ('queued', 'filling', 'paid', 'settled', 'debited', 'ended')),
  payout_id bigint unique references payouts,
  -- What paid it in the end.
  deposit_id bigint unique references deposits,
  -- Why nothing was paid.
  reason text,
  deadline timestamptz not null,
  attempts integer not null default 0,
  trouble text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_action text check (next_action in ('fill', 'await-payout', 'await-deposit')),
  next_action_at timestamptz,
  constraint fast_fills_covered check (collateral >= worth),
  constraint fast_fills_payout check ((payout_id is not null) or state in ('queued', 'ended')),
  constraint fast_fills_deposit check ((deposit_id is not null) = (state = 'settled')),
  constraint fast_fills_next_action check (
    (next_action is null) = (next_action_at is null)
    and (state in ('settled', 'debited', 'ended')) = (next_action is null))
);
create index fast_fills_queued on fast_fills (destination_chain_id, next_action_at) where state = 'queued';
create index fast_fills_paid on fast_fills (origin_chain_id, next_action_at) where state = 'paid';
create index fast_fills_wallet on fast_fills (wallet, created_at);

-- Whose balance a deposit becomes once it is settled, and, with the outcome 'balance', has become. It has no request, or one that is over.
alter table deposits add column holder text check (holder ~ '^0x[0-9a-f]{40}$');
alter table deposits drop constraint deposits_belong;
alter table deposits add constraint deposits_belong check (
  case when request_id is not null then parked_reason is null else (parked_reason is null) = (holder is not null) end) not valid;
alter table deposits drop constraint deposits_outcome_check;
alter table deposits add constraint deposits_outcome_check check (
  outcome in ('fill', 'refund') or outcome = 'balance' and holder is not null) not valid;
-- What for balances was taken out of the depository goes by it.
create index deposits_held on deposits (onchain_id) where holder is not null;
create index deposits_to_credit on deposits (chain_id, block_height) where holder is not null and outcome is null;

alter table payouts drop constraint payouts_deposit;
alter table payouts add constraint payouts_deposit check (
  purpose not in ('fill', 'refund', 'excess', 'withdraw') or deposit_id is not null or purpose = 'fill' and cause like 'request:%') not valid;
-- An order is filled once, whatever asked for it.
create unique index payouts_order_filled on payouts (order_id) where purpose = 'fill' and state <> 'dead';

create or replace function guard_outcome() returns trigger language plpgsql as $$
begin
  if new.outcome is not distinct from old.outcome then return new; end if;
  -- Until a fast fill is over nothing is paid for a deposit of its order: whoever decided one meanwhile comes too late.
  if new.outcome in ('fill', 'refund') and exists (
    select 1 from fast_fills f where f.order_id = new.order_id and f.state in ('queued', 'filling', 'paid')
  ) then
    raise exception 'the order of deposit % is filled ahead of it', old.id using errcode = 'CW007';
  end if;
  if old.outcome is null then return new; end if;
  if old.outcome = 'fill' and new.outcome = 'refund' and exists (
    select 1 from payouts p where p.deposit_id = old.id and p.purpose = 'fill' and p.state = 'dead'
  ) then return new; end if;
  if new.outcome is null and old.outcome <> 'balance' and new.state <> 'included' and not exists (
    select 1 from payouts p where p.deposit_id = old.id and p.purpose in ('fill', 'refund') and (p.state <> 'dead'
      or exists (select 1 from payout_generations g where g.payout_id = p.id and g.state = 'live'))
  ) then return new; end if;
  raise exception 'the outcome of deposit % is already %', old.id, old.outcome using errcode = 'CW001';
end $$;
`
