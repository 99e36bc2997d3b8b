/**
 * What the solver owns and what of it is promised. A hold is taken under a stripe's lock, so that no row is hot: the stripes
 * together may promise half of what is free, and what does not fit a stripe is decided exactly, under the gate's lock.
 */
export const inventorySql = `
create table inventory (
  chain_id bigint not null,
  currency text not null,
  balance numeric(78, 0) not null,
  height bigint not null,
  observed_at timestamptz not null,
  primary key (chain_id, currency)
);

create table holds (
  request_id bytea primary key,
  chain_id bigint not null,
  currency text not null,
  stripe smallint not null,
  amount numeric(78, 0) not null,
  anonymous boolean not null,
  expires_at timestamptz not null
);
create index holds_live on holds (chain_id, currency, stripe, expires_at) include (amount, anonymous);
create index holds_expired on holds (expires_at);

-- Balance less stored unpaid payouts and owed fills; null when the balance was never read. A payout included after the
-- balance was read is not in it yet, so it still counts.
create function spendable(p_chain bigint, p_currency text) returns numeric language sql stable as $$
  select i.balance
    - coalesce((select sum(p.amount) from payouts p
        where p.chain_id = p_chain and p.currency = p_currency and p.purpose <> 'withdraw'
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency
$$;

create function live_holds(p_chain bigint, p_currency text, p_now timestamptz) returns numeric language sql stable as $$
  select coalesce(sum(amount), 0) from holds
  where chain_id = p_chain and currency = p_currency and expires_at > p_now
$$;

-- 'held', 'retry' (does not fit the stripe: call again with p_exact), 'short' or 'unknown' (balance never read).
create function take_hold(
  p_request bytea, p_chain bigint, p_currency text, p_amount numeric, p_until timestamptz, p_anonymous boolean,
  p_now timestamptz, p_anonymous_bps integer, p_exact boolean
) returns text language plpgsql as $$
declare
  stripes constant integer := 32;
  gate constant integer := hashtext(p_chain || ':' || p_currency);
  own smallint := case when p_exact then -1 else get_byte(p_request, 31) % stripes end;
  free numeric;
  shared numeric;
  held numeric;
  held_anonymous numeric;
begin
  if p_exact then
    perform pg_advisory_xact_lock(gate, -1);
  else
    perform pg_advisory_xact_lock_shared(gate, -1);
    perform pg_advisory_xact_lock(gate, own);
  end if;
  free := spendable(p_chain, p_currency);
  if free is null then return 'unknown'; end if;
  select coalesce(sum(amount) filter (where stripe = -1), 0),
         coalesce(sum(amount) filter (where p_exact or stripe = own), 0),
         coalesce(sum(amount) filter (where anonymous and (p_exact or stripe = own)), 0)
    into shared, held, held_anonymous
  from holds
  where chain_id = p_chain and currency = p_currency and expires_at > p_now and (p_exact or stripe in (-1, own));
  if p_exact then
    if held + p_amount > free then return 'short'; end if;
    if p_anonymous and held_anonymous + p_amount > free * p_anonymous_bps / 10000 then return 'short'; end if;
  else
    if shared > free / 2 or held + p_amount > free / 2 / stripes then return 'retry'; end if;
    if p_anonymous and held_anonymous + p_amount > free / 2 / stripes * p_anonymous_bps / 10000 then return 'retry'; end if;
  end if;
  insert into holds (request_id, chain_id, currency, stripe, amount, anonymous, expires_at)
  values (p_request, p_chain, p_currency, own, p_amount, p_anonymous, p_until);
  return 'held';
end $$;
`
