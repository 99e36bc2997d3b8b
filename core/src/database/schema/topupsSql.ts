/** Native currency that comes beside a fill is promised like the fill itself: held by its quote, committed, owed by its payout. */
export const topupsSql = `
alter table quotes add column hold_topup numeric(78, 0);
alter table requests add column topup_currency text, add column topup_amount numeric(78, 0);
alter table payouts add column topup_currency text, add column topup_amount numeric(78, 0);
create index requests_committed_topup on requests (destination_chain_id, topup_currency) where committed and topup_currency is not null;

create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance
    - coalesce((select sum(case when p.currency = p_currency then p.amount else 0 end
            + case when p.topup_currency = p_currency then p.topup_amount else 0 end)
        from payouts p
        where p.chain_id = p_chain and (p.currency = p_currency or p.topup_currency = p_currency) and p.purpose <> 'withdraw'
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
    - coalesce((select sum(r.topup_amount) from requests r
        where r.destination_chain_id = p_chain and r.topup_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;

-- Both or nothing, always in this order, so that no two quotes wait for each other. A null p_topup is none.
create function take_holds(
  p_chain bigint, p_currency text, p_stripe smallint, p_slot bigint, p_now_slot bigint, p_amount numeric,
  p_anonymous boolean, p_anonymous_bps integer, p_topup_currency text, p_topup numeric
) returns text language plpgsql as $$
declare
  outcome text := take_hold(p_chain, p_currency, p_stripe, p_slot, p_now_slot, p_amount, p_anonymous, p_anonymous_bps);
begin
  if outcome <> 'held' or p_topup is null then return outcome; end if;
  outcome := take_hold(p_chain, p_topup_currency, p_stripe, p_slot, p_now_slot, p_topup, p_anonymous, p_anonymous_bps);
  if outcome = 'held' then return outcome; end if;
  update hold_slots set amount = amount - p_amount, anonymous = anonymous - case when p_anonymous then p_amount else 0 end
    where chain_id = p_chain and currency = p_currency and stripe = p_stripe and slot = p_slot;
  return outcome;
end $$;
`
