/**
 * Who holds inventory, for callers that nobody vouches for (architecture.md 3, step 1): what each holds and let lapse, and what was
 * really paid. A holder is a hash of an address or of an integrator; null is a trusted caller. The functions stand beside those of
 * before, which hosts of the version before call.
 */
export const holdersSql = `
alter table quotes add column hold_holder bigint;
alter table requests add column hold_holder bigint;

-- What each holder took, by the slot in which it ends.
create table hold_callers (
  holder bigint not null,
  chain_id bigint not null,
  currency text not null,
  slot bigint not null,
  amount numeric(78, 0) not null check (amount >= 0),
  primary key (holder, chain_id, currency, slot)
) with (fillfactor = 40);

-- What was paid out for deposits of each holder, by the day since 1970.
create table hold_payments (
  holder bigint not null,
  chain_id bigint not null,
  currency text not null,
  day bigint not null,
  amount numeric(78, 0) not null check (amount >= 0),
  primary key (holder, chain_id, currency, day)
);

create function count_hold_payment() returns trigger language plpgsql as $$
begin
  insert into hold_payments (holder, chain_id, currency, day, amount)
  values (new.hold_holder, new.destination_chain_id, new.destination_currency, floor(extract(epoch from new.updated_at) / 86400), new.amount_out)
  on conflict (holder, chain_id, currency, day) do update set amount = hold_payments.amount + excluded.amount;
  return null;
end $$;
create trigger requests_hold_paid after update of status on requests for each row
  when (new.status = 'success' and old.status <> 'success' and new.hold_holder is not null) execute function count_hold_payment();

-- What a holder may hold of a currency at once, in all and without the shared part: its share of that part and what was paid within
-- 30 days, halved each time that as much lapsed within ten minutes beyond what was paid. Slots are of five seconds.
create function hold_allowance(
  p_holder bigint, p_chain bigint, p_currency text, p_now_slot bigint, p_share numeric, out in_all numeric, out of_its_own numeric, out live numeric
) language plpgsql stable as $$
declare
  paid numeric;
  lapsed numeric;
  parts numeric;
begin
  select coalesce(sum(amount), 0) into paid from hold_payments
  where holder = p_holder and chain_id = p_chain and currency = p_currency and day > p_now_slot / 17280 - 30;
  select coalesce(sum(amount) filter (where slot > p_now_slot), 0), coalesce(sum(amount) filter (where slot <= p_now_slot), 0)
    into live, lapsed
  from hold_callers where holder = p_holder and chain_id = p_chain and currency = p_currency and slot > p_now_slot - 120;
  in_all := greatest(p_share, 0) + paid;
  parts := case when in_all > 0 then 2::numeric ^ least(div(greatest(lapsed - paid, 0), in_all), 64) else 1 end;
  in_all := div(in_all, parts);
  of_its_own := div(paid, parts);
end $$;

-- One quote of a holder at a time, and always before the locks of the currency; of a stripe of a currency, or exactly of all.
create function lock_holds(p_chain bigint, p_currency text, p_stripe smallint, p_holder bigint) returns void language plpgsql as $$
declare
  gate constant integer := hashtext(p_chain || ':' || p_currency);
begin
  if p_holder is not null then perform pg_advisory_xact_lock(p_holder); end if;
  if p_stripe = -1 then
    perform pg_advisory_xact_lock(gate, -1);
  else
    perform pg_advisory_xact_lock_shared(gate, -1);
    perform pg_advisory_xact_lock(gate, p_stripe);
  end if;
end $$;

-- 'held', 'unheld' (funds are free, but not for this holder: the quote stands without a hold), 'retry' (does not fit the stripe: call
-- again with stripe -1, which is exact), 'short' or 'unknown' (balance never read). What is held is pooled where it counts in the
-- part that all share whom nobody vouches for.
create function take_hold(
  p_chain bigint, p_currency text, p_stripe smallint, p_slot bigint, p_now_slot bigint, p_amount numeric,
  p_holder bigint, p_pool_bps integer, p_holder_bps integer, out outcome text, out pooled boolean
) language plpgsql as $$
declare
  stripes constant integer := 32;
  exact constant boolean := p_stripe = -1;
  free numeric;
  shared numeric;
  held numeric;
  held_pooled numeric;
  allowed record;
begin
  pooled := false;
  perform lock_holds(p_chain, p_currency, p_stripe, p_holder);
  -- Each sum is one statement with the spendable funds, so one snapshot: a hold that turns into a commitment meanwhile counts once.
  select spendable(p_chain, p_currency), coalesce(sum(s.amount) filter (where stripe = -1), 0),
         coalesce(sum(s.amount) filter (where exact or stripe <> -1), 0), coalesce(sum(s.anonymous) filter (where exact or stripe <> -1), 0)
    into free, shared, held, held_pooled
  from hold_slots s
  where chain_id = p_chain and currency = p_currency and (exact or stripe in (-1, p_stripe)) and slot > p_now_slot;
  if free is null then outcome := 'unknown'; return; end if;
  if p_holder is not null then
    allowed := hold_allowance(p_holder, p_chain, p_currency, p_now_slot, div(free * p_pool_bps * p_holder_bps, 100000000));
    if allowed.live + p_amount > allowed.in_all then
      outcome := case when p_amount > free - live_holds(p_chain, p_currency, p_now_slot) then 'short' else 'unheld' end;
      return;
    end if;
    pooled := allowed.live + p_amount > allowed.of_its_own;
  end if;
  if exact then
    if held + p_amount > free then outcome := 'short'; return; end if;
    if pooled and held_pooled + p_amount > free * p_pool_bps / 10000 then outcome := 'unheld'; return; end if;
  elsif shared > free / 2 or held + p_amount > free / 2 / stripes
    or (pooled and held_pooled + p_amount > free / 2 / stripes * p_pool_bps / 10000) then
    outcome := 'retry';
    return;
  end if;
  insert into hold_slots (chain_id, currency, stripe, slot, amount, anonymous)
  values (p_chain, p_currency, p_stripe, p_slot, p_amount, case when pooled then p_amount else 0 end)
  on conflict (chain_id, currency, stripe, slot) do update
    set amount = hold_slots.amount + excluded.amount, anonymous = hold_slots.anonymous + excluded.anonymous;
  if p_holder is not null then
    insert into hold_callers (holder, chain_id, currency, slot, amount) values (p_holder, p_chain, p_currency, p_slot, p_amount)
    on conflict (holder, chain_id, currency, slot) do update set amount = hold_callers.amount + excluded.amount;
  end if;
  outcome := 'held';
end $$;

-- Both or nothing. A null p_topup is none; it is pooled like its fill. No two quotes wait for each other, nor does a quote for a
-- deposit that releases holds and waits for it: each takes first its locks of currencies, the fill's before the top-up's, and then its
-- rows, in the order in which deposits take them.
create function take_holds(
  p_chain bigint, p_currency text, p_stripe smallint, p_slot bigint, p_now_slot bigint, p_amount numeric,
  p_holder bigint, p_pool_bps integer, p_holder_bps integer, p_topup_currency text, p_topup numeric, out outcome text, out pooled boolean
) language plpgsql as $$
declare
  free numeric;
begin
  if p_topup is not null then
    perform lock_holds(p_chain, p_currency, p_stripe, p_holder);
    perform lock_holds(p_chain, p_topup_currency, p_stripe, null);
    insert into hold_slots (chain_id, currency, stripe, slot, amount, anonymous)
    select p_chain, c.currency, p_stripe, p_slot, 0, 0 from unnest(array[p_currency, p_topup_currency]) as c(currency) order by c.currency
    on conflict (chain_id, currency, stripe, slot) do update set amount = hold_slots.amount;
  end if;
  select t.outcome, t.pooled into outcome, pooled
  from take_hold(p_chain, p_currency, p_stripe, p_slot, p_now_slot, p_amount, p_holder, p_pool_bps, p_holder_bps) t;
  if p_topup is null or outcome not in ('held', 'unheld') then return; end if;
  if outcome = 'held' then
    outcome := take_hold(p_chain, p_topup_currency, p_stripe, p_slot, p_now_slot, p_topup, pooled, p_pool_bps);
    if outcome = 'held' then return; end if;
    update hold_slots set amount = amount - p_amount, anonymous = anonymous - case when pooled then p_amount else 0 end
      where chain_id = p_chain and currency = p_currency and stripe = p_stripe and slot = p_slot;
    update hold_callers set amount = amount - p_amount
      where holder = p_holder and chain_id = p_chain and currency = p_currency and slot = p_slot;
    if p_holder is null or outcome <> 'short' then return; end if;
  end if;
  free := spendable(p_chain, p_topup_currency) - live_holds(p_chain, p_topup_currency, p_now_slot);
  outcome := case when free is null then 'unknown' when p_topup > free then 'short' else 'unheld' end;
end $$;
`
