/**
 * What the deployment owes to wallets (wire.md 4.12): accounts of the books with a holder, and the sum of each kept by the only writer
 * of the ledger. A sum is divided into slots: what one cause posts goes to the slot of that cause, so that those who post to one wallet at
 * the same time seldom wait for each other, and a balance is read from at most so many rows. No slot goes below zero, so no balance does.
 *
 * - `app`: owed and free: to be claimed, and to pay for others.
 * - `earned`: owed for a fill that is not settled yet.
 * - `sponsored`: set aside for the fees of a fill that is decided and not on its chain yet.
 * - `collateral`: set aside for a fast fill whose deposit is not settled yet.
 * - `claimed`: on its way to whom it is owed.
 * - `exposure`: paid out by a fast fill for a deposit that is not in yet; what the wallet owes, and not what it is owed.
 */
export const appBalancesSql = `
alter table ledger_entries drop constraint ledger_entries_account_check;
alter table ledger_entries add constraint ledger_entries_account_check check (account in (
  'depository', 'owed', 'wallet', 'fees', 'integrator', 'conversion', 'gas', 'parked', 'capital', 'loss', 'addresses', 'unswept',
  'app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure')) not valid;
alter table ledger_entries drop constraint ledger_entries_holder;
alter table ledger_entries add constraint ledger_entries_holder check (
  (holder is not null) = (account in ('integrator', 'app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure'))) not valid;

-- What a wallet moved is read by the number of its posting; integrators without a wallet are summed up.
drop index ledger_entries_holder;
create index ledger_entries_integrator on ledger_entries (holder, chain_id, currency) include (amount) where account = 'integrator';
create index ledger_entries_wallet on ledger_entries (holder, transaction_id) include (account, chain_id, currency, amount)
  where account <> 'integrator' and holder is not null;

create table app_balances (
  holder text not null check (holder ~ '^0x[0-9a-f]{40}$'),
  account text not null check (account in ('app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure')),
  chain_id bigint not null,
  currency text not null,
  slot smallint not null,
  amount numeric(78, 0) not null constraint app_balances_amount check (amount >= 0),
  primary key (holder, account, chain_id, currency, slot)
) with (fillfactor = 50);

-- The wallet that pays for what an integrator sponsors and fills fast; its signature linked it.
create table funding_wallets (
  integrator_id text primary key,
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  linked_at timestamptz not null
);
create index funding_wallets_wallet on funding_wallets (wallet);

-- What quotes keep of a balance for their sponsor's part until they expire, or their fill is decided.
create table sponsor_reservations (
  request_id bytea primary key,
  holder text not null,
  chain_id bigint not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  until timestamptz not null
);
create index sponsor_reservations_live on sponsor_reservations (holder, chain_id, currency, until) include (amount);

-- Sums of them by the five seconds in which they end: many quotes are live at once. Each connection adds to rows of its own, what it lets
-- go of as well (a row may be below zero), so that nobody waits for another's.
create table sponsor_kept_sums (
  holder text not null,
  chain_id bigint not null,
  currency text not null,
  slot bigint not null,
  writer integer not null,
  amount numeric(78, 0) not null,
  primary key (holder, chain_id, currency, slot, writer)
) with (fillfactor = 40);

create function add_sponsor_kept(p_holder text, p_chain bigint, p_currency text, p_until timestamptz, p_amount numeric) returns void
language sql as $$
  insert into sponsor_kept_sums as k (holder, chain_id, currency, slot, writer, amount)
  values (p_holder, p_chain, p_currency, ceil(extract(epoch from p_until) / 5), pg_backend_pid(), p_amount)
  on conflict (holder, chain_id, currency, slot, writer) do update set amount = k.amount + excluded.amount
$$;

-- What quotes keep of a balance: of each until the five seconds are over in which it ends.
create function sponsor_kept(p_holder text, p_chain bigint, p_currency text, p_now timestamptz) returns numeric language plpgsql stable as $$
begin
  return (select coalesce(sum(amount), 0) from sponsor_kept_sums where holder = p_holder and chain_id = p_chain and currency = p_currency
    and slot > floor(extract(epoch from p_now) / 5));
end $$;

create function count_sponsor_reservation() returns trigger language plpgsql as $$
begin
  perform add_sponsor_kept(new.holder, new.chain_id, new.currency, new.until, new.amount);
  return null;
end $$;
create trigger sponsor_reservations_counted after insert on sponsor_reservations for each row execute function count_sponsor_reservation();

create function app_slot(p_cause text) returns smallint language sql immutable as $$ select (hashtext(p_cause) & 31)::smallint $$;

create function app_balance(p_holder text, p_account text, p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select coalesce(sum(amount), 0) from app_balances
    where holder = p_holder and account = p_account and chain_id = p_chain and currency = p_currency);
end $$;

-- Takes an amount out of what is free: of one slot that has enough, the cause's own first, else of all of them in their order.
create function take_app(p_holder text, p_chain bigint, p_currency text, p_amount numeric, p_slot smallint) returns void language plpgsql as $$
declare
  held record;
  free numeric := 0;
  missing numeric := p_amount;
begin
  begin
    select slot into held from app_balances
    where holder = p_holder and account = 'app' and chain_id = p_chain and currency = p_currency and amount >= p_amount
    order by (slot - p_slot + 32) % 32 limit 1 for update skip locked;
    if not found then raise exception 'none' using errcode = 'CW006'; end if;
    update app_balances set amount = amount - p_amount
    where holder = p_holder and account = 'app' and chain_id = p_chain and currency = p_currency and slot = held.slot;
    return;
  exception when sqlstate 'CW006' then
    -- Lets go of a slot that was found too small only once it was locked: whoever goes on takes all in one order.
    null;
  end;
  -- As they are once they are locked; a slot that somebody adds meanwhile is none of them.
  for held in
    select slot, amount from app_balances
    where holder = p_holder and account = 'app' and chain_id = p_chain and currency = p_currency order by slot for update
  loop
    free := free + held.amount;
    continue when missing = 0 or held.amount = 0;
    update app_balances set amount = amount - least(held.amount, missing)
    where holder = p_holder and account = 'app' and chain_id = p_chain and currency = p_currency and slot = held.slot;
    missing := missing - least(held.amount, missing);
  end loop;
  if missing > 0 then
    raise exception 'the balance of % is %, less than %', p_holder, free, p_amount using errcode = 'CW004';
  end if;
end $$;

create or replace function post_ledger(p_cause text, p_event text, p_at timestamptz, p_entries jsonb) returns boolean
language plpgsql as $$
declare
  new_id bigint;
  taken record;
begin
  insert into ledger_transactions (cause, event, posted_at) values (p_cause, p_event, p_at)
  on conflict (cause, event) do nothing returning id into new_id;
  if new_id is null then return false; end if;
  perform set_config('causeway.ledger_writer', new_id::text, true);
  insert into ledger_entries (transaction_id, account, chain_id, currency, amount, holder)
  select new_id, e->>'account', (e->>'chainId')::bigint, e->>'currency', (e->>'amount')::numeric, e->>'holder'
  from jsonb_array_elements(p_entries) e
  where (e->>'amount')::numeric <> 0;
  perform set_config('causeway.ledger_writer', '', true);
  -- A wallet is paid from by its own lane alone, so nobody waits for the row.
  insert into wallet_books (chain_id, currency, amount)
  select (e->>'chainId')::bigint, e->>'currency', sum((e->>'amount')::numeric)
  from jsonb_array_elements(p_entries) e
  where e->>'account' = 'wallet' group by 1, 2 order by 1, 2
  on conflict (chain_id, currency) do update set amount = wallet_books.amount + excluded.amount;
  if not jsonb_path_exists(p_entries, '$[*].holder ? (@ starts with "0x")') then return true; end if;
  -- What is owed is an amount below zero in the books; what a wallet owes is one above.
  insert into app_balances as b (holder, account, chain_id, currency, slot, amount)
  select c.holder, c.account, c.chain_id, c.currency, app_slot(p_cause), c.amount from app_changes(p_entries) c
  where c.amount > 0 order by 1, 2, 3, 4
  on conflict (holder, account, chain_id, currency, slot) do update set amount = b.amount + excluded.amount;
  for taken in
    select c.holder, c.account, c.chain_id, c.currency, -c.amount as amount from app_changes(p_entries) c
    where c.amount < 0 order by 1, 2, 3, 4
  loop
    if taken.account = 'app' then
      perform take_app(taken.holder, taken.chain_id, taken.currency, taken.amount, app_slot(p_cause));
    else
      -- What a cause takes out of any other account it has put there.
      update app_balances set amount = amount - taken.amount
      where holder = taken.holder and account = taken.account and chain_id = taken.chain_id and currency = taken.currency
        and slot = app_slot(p_cause);
      if not found then
        raise exception '% has nothing in % by %', taken.holder, taken.account, p_cause using errcode = 'CW005';
      end if;
    end if;
  end loop;
  return true;
end $$;

-- By how much entries change the sums of wallets.
create function app_changes(p_entries jsonb, out holder text, out account text, out chain_id bigint, out currency text, out amount numeric)
returns setof record language sql immutable as $$
  select e->>'holder', e->>'account', (e->>'chainId')::bigint, e->>'currency',
    sum((e->>'amount')::numeric * case when e->>'account' = 'exposure' then 1 else -1 end)
  from jsonb_array_elements(p_entries) e
  where e->>'account' in ('app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure')
  group by 1, 2, 3, 4 having sum((e->>'amount')::numeric) <> 0
$$;

-- Whether so much more may be kept of a balance by a quote; else it is refused, and with it the quote's whole statement. Far below the
-- balance eight are judged at a time, so that quotes of one sponsor seldom wait for each other's commit: what each adds is so little
-- that together they stay below it. All others are judged one after the other.
create function require_sponsorship(
  p_integrator text, p_holder text, p_chain bigint, p_currency text, p_amount numeric, p_now timestamptz
) returns boolean language plpgsql as $$
declare
  gate constant integer := hashtext('sponsorship:' || p_holder);
  balance numeric;
  kept numeric;
begin
  if not exists (select from funding_wallets where integrator_id = p_integrator and wallet = p_holder) then
    raise exception 'the wallet % does not pay for this integrator any more', p_holder using errcode = 'CW004';
  end if;
  begin
    perform pg_advisory_xact_lock_shared(gate, -1);
    perform pg_advisory_xact_lock(gate, pg_backend_pid() & 7);
    select app_balance(p_holder, 'app', p_chain, p_currency), sponsor_kept(p_holder, p_chain, p_currency, p_now) into balance, kept;
    if p_amount <= balance / 64 and kept + p_amount <= balance / 4 then return true; end if;
    -- Lets go of the locks.
    raise exception 'not far below the balance' using errcode = 'CW008';
  exception when sqlstate 'CW008' then
    perform pg_advisory_xact_lock(gate, -1);
  end;
  select app_balance(p_holder, 'app', p_chain, p_currency), sponsor_kept(p_holder, p_chain, p_currency, p_now) into balance, kept;
  if balance - kept < p_amount then
    raise exception 'the balance of % that quotes do not keep is %, less than %', p_holder, balance - kept, p_amount using errcode = 'CW004';
  end if;
  return true;
end $$;

-- What wallets earn by a payout: open until payout and deposit are settled.
alter table payouts add column earning text check (earning in ('open', 'settled'));
create index payouts_earning on payouts (id) where earning = 'open' and state <> 'dead';

-- A fill's sponsor pays with what is set aside when it is decided: put aside with it, and let go where it ends unpaid, whoever ends it.
create function set_sponsorship_aside() returns trigger language plpgsql as $$
declare
  terms constant jsonb := nullif(new.data, '')::jsonb -> 'sponsorship';
  cause constant text := 'payout:' || new.id;
  aside numeric;
  times integer;
  let_go integer;
begin
  select coalesce(-sum(e.amount), 0), count(distinct t.id) into aside, times
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.cause = 'payout:' || new.id and e.account = 'sponsored';
  if new.state = 'dead' then
    if aside > 0 then
      perform post_ledger(cause, 'unsponsored:' || times, new.updated_at, sponsorship_entries(
        (select jsonb_build_object('holder', e.holder, 'chainId', e.chain_id, 'currency', e.currency)
         from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
         where t.cause = 'payout:' || new.id and e.account = 'sponsored' order by e.transaction_id desc limit 1), -aside));
    end if;
  elsif terms is not null and aside = 0 then
    perform post_ledger(cause, 'sponsored:' || times, new.updated_at, sponsorship_entries(terms, (terms->>'amount')::numeric));
    with gone as (delete from sponsor_reservations where request_id = new.request_id returning holder, chain_id, currency, until, amount)
    select count(*) into let_go from gone, add_sponsor_kept(gone.holder, gone.chain_id, gone.currency, gone.until, -gone.amount);
  end if;
  return null;
end $$;

create function sponsorship_entries(p_terms jsonb, p_amount numeric) returns jsonb language sql immutable as $$
  select jsonb_build_array(
    p_terms || jsonb_build_object('account', 'app', 'amount', p_amount::text),
    p_terms || jsonb_build_object('account', 'sponsored', 'amount', (-p_amount)::text))
$$;

create trigger payouts_sponsored after insert on payouts for each row
  when (new.purpose = 'fill' and new.data like '%"sponsorship"%') execute function set_sponsorship_aside();
create trigger payouts_sponsored_again after update of state on payouts for each row
  when (new.purpose = 'fill' and new.state <> old.state and 'dead' in (new.state, old.state)
    and (new.data like '%"sponsorship"%' or old.data like '%"sponsorship"%')) execute function set_sponsorship_aside();
`
