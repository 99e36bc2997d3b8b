/**
 * Addresses that users pay to, what arrived there, and the sweeps that bring it into the depository (architecture.md 3, Addresses to pay to).
 * Arrivals move nothing: a fill rests on what a sweep brought.
 */
export const depositAddressesSql = `
create table deposit_addresses (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  -- As it was told, with a tag or memo behind it where it has one; the account is without.
  address text not null,
  account text not null,
  type text not null check (type in ('open', 'strict')),
  -- Its sweeps carry the order id of the quote, and are credited to the depositor.
  order_id bytea not null unique,
  request_id bytea not null unique,
  depositor text not null,
  derivation text not null,
  currency text not null,
  -- As it was asked for; null: no refund without an operator.
  refund_to text,
  recovery_address text,
  created_at timestamptz not null,
  -- In blocks it is looked for until then; afterwards its balance is asked for, ever more rarely.
  live_until timestamptz not null,
  -- An address belongs to one order for ever (faults.md F18). By its text first: it is looked up without a chain, too.
  unique (address, chain_id)
);

create index deposit_addresses_word on deposit_addresses (search_term(address));

-- Chains on which an address is looked at: its own, and others of the same VM on an operator's or a caller's word.
create table deposit_address_places (
  id bigint generated always as identity unique,
  address_id bigint not null references deposit_addresses,
  chain_id bigint not null,
  account text not null,
  next_look_at timestamptz not null,
  -- Something arrived: it is looked at at once, again and again until it is found; how often in vain.
  expected boolean not null default false,
  looks integer not null default 0,
  -- How often something arrived: a look tells by it whether more came meanwhile.
  called bigint not null default 0,
  -- The next look sweeps what it finds, whatever it is worth.
  forced boolean not null default false,
  -- Why what lies there is not swept, for the operator.
  trouble text,
  -- What the last look found, amounts by currency; null before the first.
  found jsonb,
  found_at timestamptz,
  reindexed_at timestamptz,
  primary key (address_id, chain_id)
);
create index deposit_address_places_due on deposit_address_places (chain_id, expected, next_look_at);
-- What a watcher keeps in memory: from its last id on.
create index deposit_address_places_chain on deposit_address_places (chain_id, id) include (account);

create table deposit_arrivals (
  id bigint generated always as identity primary key,
  address_id bigint not null references deposit_addresses,
  chain_id bigint not null,
  tx_id text not null,
  locator text,
  position integer not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount > 0),
  sender text,
  state text not null check (state in ('seen', 'included', 'dropped', 'reorged')),
  inclusions integer not null default 0,
  block_height bigint,
  block_hash text,
  block_time timestamptz,
  created_at timestamptz not null,
  -- The deposit that a sweep made of it.
  taken_by bigint references deposits,
  unique (chain_id, tx_id, address_id, currency, position)
);
create index deposit_arrivals_address on deposit_arrivals (address_id);
create index deposit_arrivals_waiting on deposit_arrivals (chain_id, address_id) where taken_by is null;
create index deposit_arrivals_height on deposit_arrivals (chain_id, block_height);
create index deposit_arrivals_taken on deposit_arrivals (taken_by) where taken_by is not null;

-- What came to an address and what left it for the depository, as blocks showed it. What left without having been seen to come counts as
-- found; what was seen to come and is not there, as gone. The rest lies at the address.
create table deposit_address_books (
  address_id bigint not null references deposit_addresses,
  chain_id bigint not null,
  currency text not null,
  arrived numeric(78, 0) not null default 0,
  swept numeric(78, 0) not null default 0,
  gone numeric(78, 0) not null default 0,
  -- What lay there before the last change: by it that change is posted.
  held_before numeric(78, 0) not null default 0,
  version bigint not null default 1,
  primary key (address_id, chain_id, currency)
);
create index deposit_address_books_open on deposit_address_books (chain_id) where arrived > swept + gone;

-- Addresses that only the holder of the seed can derive, made ahead. They count in the history of the data that they were made in: another
-- one may have given them away before (faults.md F118).
create table deposit_address_pool (
  chain_id bigint not null,
  address text not null,
  derivation text not null,
  signature text not null,
  history text not null default server_history(),
  made_at timestamptz not null,
  taken_at timestamptz,
  taken_by bigint,
  primary key (chain_id, address)
);
create index deposit_address_pool_free on deposit_address_pool (chain_id, made_at) where taken_at is null;
create index deposit_address_pool_taken on deposit_address_pool (chain_id, taken_by, taken_at) where taken_at is not null;

-- How far the watcher of addresses has read a chain.
create table address_cursors (
  chain_id bigint primary key,
  cursor text not null,
  height bigint not null,
  tip bigint not null,
  updated_at timestamptz not null
);

alter table payouts add column address_id bigint references deposit_addresses;
alter table payouts add constraint payouts_sweep check ((purpose = 'sweep') = (address_id is not null) and (purpose <> 'sweep' or deposit_id is null));
-- One sweep of an address at a time, but for one whose block left while the next was on its way.
create index payouts_sweeping on payouts (chain_id, address_id) where purpose = 'sweep' and state in ('ready', 'signed');
create index payouts_address on payouts (address_id) where address_id is not null;

-- Hash of the user's transfer into the address; the id of a quote whose status operations this request answers, and whether the record of
-- that names this one as its owner (wire.md E.3, K.4 1).
alter table requests add column transfer_tx text, add column answers_for bytea, add column supersedes boolean not null default false;
create index requests_answers on requests (answers_for) where answers_for is not null;
create index requests_requote on requests (next_action_at) where next_action = 'requote';

alter table ledger_entries drop constraint ledger_entries_account_check;
alter table ledger_entries add constraint ledger_entries_account_check check (account in (
  'depository', 'owed', 'wallet', 'fees', 'integrator', 'conversion', 'gas', 'parked', 'capital', 'loss', 'addresses', 'unswept'));

-- A sweep moves nobody's inventory.
create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance - i.reserved
    - coalesce((select sum(case when p.currency = p_currency then p.amount else 0 end
            + case when p.topup_currency = p_currency then p.topup_amount else 0 end)
        from payouts p
        where p.chain_id = p_chain and (p.currency = p_currency or p.topup_currency = p_currency)
          and p.purpose not in ('withdraw', 'approve', 'sweep')
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
    - coalesce((select sum(r.topup_amount) from requests r
        where r.destination_chain_id = p_chain and r.topup_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;
`
