/**
 * What payouts rest on. A deposit that is not on the chain is undecided again when nothing that was decided for it can land any
 * more: it was never signed, or every generation is dead. A chain whose settled blocks were replaced is halted until an operator
 * has looked.
 */
export const depositGroundSql = `
create or replace function guard_outcome() returns trigger language plpgsql as $$
begin
  if old.outcome is null or new.outcome is not distinct from old.outcome then return new; end if;
  if old.outcome = 'fill' and new.outcome = 'refund' and exists (
    select 1 from payouts p where p.deposit_id = old.id and p.purpose = 'fill' and p.state = 'dead'
  ) then return new; end if;
  if new.outcome is null and new.state <> 'included' and not exists (
    select 1 from payouts p where p.deposit_id = old.id and p.purpose in ('fill', 'refund') and (p.state <> 'dead'
      or exists (select 1 from payout_generations g where g.payout_id = p.id and g.state = 'live'))
  ) then return new; end if;
  raise exception 'the outcome of deposit % is already %', old.id, old.outcome using errcode = 'CW001';
end $$;

-- Nothing is decided or signed that rests on deposits of these chains.
create table chain_halts (
  chain_id bigint primary key,
  -- Where reading stood, and the deepest block that was replaced under it: how many were, by what was read.
  height bigint not null,
  replaced bigint not null check (replaced > 0),
  settle integer not null,
  halted_at timestamptz not null
);

-- Paid, and their deposits left the chain.
create index deposits_lost on deposits (chain_id, outcome_at) where outcome is not null and state in ('reorged', 'failed');

-- What was decided to be paid for deposits of a chain that are not settled yet, or are lost since p_since, by currency; always one
-- row at least, with the height the watcher knows. Decisions for one chain wait for each other, and each sees the one before it.
create function unsettled_payments(p_chain bigint, p_settle integer, p_since timestamptz)
returns table (tip bigint, currency text, amount numeric) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('unsettled payments'), hashtext(p_chain::text));
  return query
    with c as (select coalesce(max(k.tip), 0) as at from chain_cursors k where k.chain_id = p_chain),
    sums as (
      select u.currency, sum(u.amount) as amount from (
        select d.currency, d.amount from deposits d, c
        where d.chain_id = p_chain and d.block_height > c.at - p_settle and d.state = 'included' and d.outcome is not null
        union all
        select d.currency, d.amount from deposits d
        where d.chain_id = p_chain and d.outcome is not null and d.state in ('reorged', 'failed') and d.outcome_at > p_since
      ) u group by u.currency
    )
    select c.at, sums.currency, sums.amount from c left join sums on true;
end $$;

-- Requests that wait for deposits of their chain to settle, or for an operator.
create index requests_held on requests (origin_chain_id, next_action) where next_action in ('await-settle', 'await-release');
`
