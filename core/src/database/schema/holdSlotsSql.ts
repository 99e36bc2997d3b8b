/**
 * Holds as sums: one row per stripe and slot of five seconds, so that a quote adds to one row and reads a dozen, however many
 * holds are live. What a quote holds stands on its own row, for the deposit that releases it. A hold lasts to the end of its slot.
 */
export const holdSlotsSql = `
create table hold_slots (
  chain_id bigint not null,
  currency text not null,
  stripe smallint not null,
  slot bigint not null,
  amount numeric(78, 0) not null check (amount >= 0),
  anonymous numeric(78, 0) not null check (anonymous >= 0),
  primary key (chain_id, currency, stripe, slot)
) with (fillfactor = 40);

alter table quotes
  add column hold_stripe smallint,
  add column hold_slot bigint,
  add column hold_amount numeric(78, 0),
  add column hold_anonymous boolean;

drop function take_hold(bytea, bigint, text, numeric, timestamptz, boolean, timestamptz, integer, boolean);
drop function live_holds(bigint, text, timestamptz);
drop table holds;

-- As before, with its plan kept: a function in SQL is planned at every call by servers older than 18.
create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance
    - coalesce((select sum(p.amount) from payouts p
        where p.chain_id = p_chain and p.currency = p_currency and p.purpose <> 'withdraw'
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;

create function live_holds(p_chain bigint, p_currency text, p_now_slot bigint) returns numeric language sql stable as $$
  select coalesce(sum(amount), 0) from hold_slots where chain_id = p_chain and currency = p_currency and slot > p_now_slot
$$;

-- 'held', 'retry' (does not fit the stripe: call again with stripe -1, which is exact), 'short' or 'unknown' (balance never read).
create function take_hold(
  p_chain bigint, p_currency text, p_stripe smallint, p_slot bigint, p_now_slot bigint, p_amount numeric,
  p_anonymous boolean, p_anonymous_bps integer
) returns text language plpgsql as $$
declare
  stripes constant integer := 32;
  gate constant integer := hashtext(p_chain || ':' || p_currency);
  free numeric;
  shared numeric;
  held numeric;
  held_anonymous numeric;
begin
  -- Each sum is one statement with the spendable funds, so one snapshot: a hold that turns into a commitment meanwhile counts once.
  if p_stripe = -1 then
    perform pg_advisory_xact_lock(gate, -1);
    select spendable(p_chain, p_currency), coalesce(sum(s.amount), 0), coalesce(sum(s.anonymous), 0)
      into free, held, held_anonymous
    from hold_slots s where chain_id = p_chain and currency = p_currency and slot > p_now_slot;
    if free is null then return 'unknown'; end if;
    if held + p_amount > free then return 'short'; end if;
    if p_anonymous and held_anonymous + p_amount > free * p_anonymous_bps / 10000 then return 'short'; end if;
  else
    perform pg_advisory_xact_lock_shared(gate, -1);
    perform pg_advisory_xact_lock(gate, p_stripe);
    select spendable(p_chain, p_currency), coalesce(sum(s.amount) filter (where stripe = -1), 0),
           coalesce(sum(s.amount) filter (where stripe <> -1), 0), coalesce(sum(s.anonymous) filter (where stripe <> -1), 0)
      into free, shared, held, held_anonymous
    from hold_slots s
    where chain_id = p_chain and currency = p_currency and stripe in (-1, p_stripe) and slot > p_now_slot;
    if free is null then return 'unknown'; end if;
    if shared > free / 2 or held + p_amount > free / 2 / stripes then return 'retry'; end if;
    if p_anonymous and held_anonymous + p_amount > free / 2 / stripes * p_anonymous_bps / 10000 then return 'retry'; end if;
  end if;
  insert into hold_slots (chain_id, currency, stripe, slot, amount, anonymous)
  values (p_chain, p_currency, p_stripe, p_slot, p_amount, case when p_anonymous then p_amount else 0 end)
  on conflict (chain_id, currency, stripe, slot) do update
    set amount = hold_slots.amount + excluded.amount, anonymous = hold_slots.anonymous + excluded.anonymous;
  return 'held';
end $$;
`
