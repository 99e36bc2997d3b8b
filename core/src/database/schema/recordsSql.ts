/** Seconds from the block of the deposit to that of the fill; never negative, clocks of chains differ. */
export const fillSecondsOf = (requestId: string): string =>
  `(select greatest(0, extract(epoch from min(t.block_time) filter (where t.purpose = 'fill') - min(t.block_time) filter (where t.direction = 'in')))::int
    from request_txs t where t.request_id = ${requestId} and t.status = 'success')`

/**
 * What the history of requests is searched by (architecture.md 6, Records): columns of the request itself, so that a page is never
 * older than a status; the term table; counts; and touches, which say whose record must be built anew. Triggers write all of
 * it in the transaction of the change and take no lock that the change does not take: terms, touches and counts are only added.
 */
export const recordsSql = `
alter table requests
  add column currency_in text not null default '',
  add column currency_out text not null default '',
  -- Lower case: symbols compare without case.
  add column symbol_in text not null default '',
  add column symbol_out text not null default '',
  add column request_type text not null default '',
  add column features text[] not null default '{}',
  add column amount_usd numeric not null default 0,
  add column app_fees_usd numeric not null default 0,
  add column deposit_address text,
  add column depositor text,
  -- From the deposit's block to the fill's; null until success.
  add column fill_seconds integer;
-- The partner identifier and whatever else is set from outside after the fact (wire.md 2.10).
alter table request_facts add column external_metadata jsonb;
-- The terms are wide and no search reads them: out of the row.
alter table requests set (toast_tuple_target = 256);

create unique index requests_seq on requests (seq);
create index requests_created on requests (created_at desc, seq desc);
create index requests_updated on requests (updated_at desc, seq desc);
create index requests_amount on requests (amount_usd, id);
create index requests_status on requests (status, created_at desc, seq desc);
create index requests_chains on requests (origin_chain_id, destination_chain_id, created_at desc, seq desc);
create index requests_origin on requests (origin_chain_id, created_at desc, seq desc);
create index requests_destination on requests (destination_chain_id, created_at desc, seq desc);
create index requests_api_key on requests (api_key_id, created_at desc, seq desc) where api_key_id is not null;
create index request_txs_block on request_txs (block_height, request_id);

-- Every word a request is found by: ids, wallets, deposit addresses, transaction hashes.
create table request_terms (
  term text not null,
  kind text not null check (kind in ('id', 'order', 'user', 'recipient', 'depositor', 'deposit-address', 'deposit-tx', 'fill-tx', 'refund-tx', 'other-tx')),
  created_at timestamptz not null,
  seq bigint not null,
  primary key (term, created_at, seq, kind)
);

create table request_touches (
  id bigint generated always as identity primary key,
  request_id bytea not null
);
create index request_touches_request on request_touches (request_id);

-- The number of requests is the sum of both: changes are only added, and folded into the counts now and then.
create table request_counts (
  status text not null,
  origin_chain_id bigint not null,
  destination_chain_id bigint not null,
  total bigint not null,
  primary key (status, origin_chain_id, destination_chain_id)
);
create table request_count_changes (
  id bigint generated always as identity primary key,
  status text not null,
  origin_chain_id bigint not null,
  destination_chain_id bigint not null,
  change bigint not null
);

-- Hashes and addresses of 0x form compare without case; what other chains write compares exactly (wire.md 0.1).
create function search_term(word text) returns text immutable strict parallel safe language sql as
  $$ select case when word ~* '^0x[0-9a-f]+$' then lower(word) else word end $$;

create function requests_added() returns trigger language plpgsql as $$
begin
  insert into request_count_changes (status, origin_chain_id, destination_chain_id, change)
    select status, origin_chain_id, destination_chain_id, count(*) from added group by 1, 2, 3;
  insert into request_terms (term, kind, created_at, seq)
    select search_term(w.term), w.kind, a.created_at, a.seq
    from added a, lateral (values ('0x' || encode(a.id, 'hex'), 'id'), ('0x' || encode(a.order_id, 'hex'), 'order'),
      (a.user_address, 'user'), (a.recipient, 'recipient'), (a.depositor, 'depositor'), (a.deposit_address, 'deposit-address')) w(term, kind)
    where w.term is not null and w.term <> '' on conflict do nothing;
  insert into request_touches (request_id) select id from added;
  return null;
end $$;
create trigger requests_added after insert on requests referencing new table as added for each statement execute function requests_added();

create function requests_changed() returns trigger language plpgsql as $$
begin
  insert into request_count_changes (status, origin_chain_id, destination_chain_id, change)
    select status, origin_chain_id, destination_chain_id, sum(change) from (
      select n.status, n.origin_chain_id, n.destination_chain_id, 1 as change from now n join before b using (id) where n.status <> b.status
      union all
      select b.status, b.origin_chain_id, b.destination_chain_id, -1 from now n join before b using (id) where n.status <> b.status
    ) c group by 1, 2, 3 having sum(change) <> 0;
  insert into request_terms (term, kind, created_at, seq)
    select search_term(n.depositor), 'depositor', n.created_at, n.seq from now n join before b using (id)
    where n.depositor is distinct from b.depositor and n.depositor is not null on conflict do nothing;
  insert into request_touches (request_id)
    select n.id from now n join before b using (id)
    where n.version <> b.version or (n.superseded_by, n.depositor, n.refund_to, n.fail_reason, n.refund_fail_reason, n.fill_seconds)
      is distinct from (b.superseded_by, b.depositor, b.refund_to, b.fail_reason, b.refund_fail_reason, b.fill_seconds);
  return null;
end $$;
create trigger requests_changed after update on requests referencing new table as now old table as before
  for each statement execute function requests_changed();

create function request_txs_added() returns trigger language plpgsql as $$
begin
  insert into request_terms (term, kind, created_at, seq)
    select search_term(c.tx_id), case c.purpose when 'deposit' then 'deposit-tx' when 'fill' then 'fill-tx' when 'refund' then 'refund-tx' else 'other-tx' end,
      r.created_at, r.seq
    from changed c join requests r on r.id = c.request_id on conflict do nothing;
  insert into request_touches (request_id) select distinct request_id from changed;
  return null;
end $$;
create trigger request_txs_added after insert on request_txs referencing new table as changed for each statement execute function request_txs_added();

create function request_touched() returns trigger language plpgsql as $$
begin
  insert into request_touches (request_id) select distinct request_id from changed where request_id is not null;
  return null;
end $$;
create trigger request_txs_changed after update on request_txs referencing new table as changed for each statement execute function request_touched();
create trigger request_txs_removed after delete on request_txs referencing old table as changed for each statement execute function request_touched();
create trigger request_facts_changed after update on request_facts referencing new table as changed for each statement execute function request_touched();
create trigger deposits_changed after update on deposits referencing new table as changed for each statement execute function request_touched();
create trigger payouts_added after insert on payouts referencing new table as changed for each statement execute function request_touched();
create trigger payouts_changed after update on payouts referencing new table as changed for each statement execute function request_touched();

-- What a quote's answer says of a request; a child that only goes back has the currency and amount of its own deposit.
create function search_columns(quoted jsonb, terms jsonb, child boolean) returns table (
  currency_in text, currency_out text, symbol_in text, symbol_out text, request_type text, features text[], amount_usd numeric, app_fees_usd numeric
) immutable parallel safe language sql as $$
  select case when child then terms->'origin'->>'currency' else coalesce(i->'currency'->>'address', terms->'origin'->>'currency', '') end,
    coalesce(o->'currency'->>'address', terms->'destination'->>'currency', ''),
    case when child and i->'currency'->>'address' is distinct from terms->'origin'->>'currency' then '' else lower(coalesce(i->'currency'->>'symbol', '')) end,
    lower(coalesce(o->'currency'->>'symbol', '')),
    coalesce(quoted->>'requestType', ''),
    coalesce((select array_agg(f.value order by f.value) from jsonb_array_elements_text(quoted->'features') f(value)), '{}'),
    case when not child then coalesce((i->>'amountUsd')::numeric, 0)
      when i->'currency'->>'address' is distinct from terms->'origin'->>'currency' or coalesce((i->>'amount')::numeric, 0) = 0 then 0
      else round(coalesce((i->>'amountUsd')::numeric, 0) * (terms->>'amountIn')::numeric / (i->>'amount')::numeric, 6) end,
    case when child then 0 else coalesce((quoted->'fees'->'app'->>'amountUsd')::numeric, 0) end
  from (select quoted->'details'->'currencyIn' as i, quoted->'details'->'currencyOut' as o) d
$$;

update requests r set (currency_in, currency_out, symbol_in, symbol_out, request_type, features, amount_usd, app_fees_usd) = (
  select s.currency_in, s.currency_out, s.symbol_in, s.symbol_out, s.request_type, s.features, s.amount_usd, s.app_fees_usd
  from request_facts f, lateral search_columns(f.quoted::jsonb, r.terms::jsonb, r.parent_request_id is not null) s where f.request_id = r.id)
where exists (select from request_facts f where f.request_id = r.id);
update requests r set fill_seconds = ${fillSecondsOf('r.id')} where r.status = 'success';
insert into request_count_changes (status, origin_chain_id, destination_chain_id, change)
  select status, origin_chain_id, destination_chain_id, count(*) from requests group by 1, 2, 3;
insert into request_terms (term, kind, created_at, seq)
  select search_term(w.term), w.kind, a.created_at, a.seq
  from requests a, lateral (values ('0x' || encode(a.id, 'hex'), 'id'), ('0x' || encode(a.order_id, 'hex'), 'order'),
    (a.user_address, 'user'), (a.recipient, 'recipient')) w(term, kind) where w.term <> ''
  union select search_term(t.tx_id), case t.purpose when 'deposit' then 'deposit-tx' when 'fill' then 'fill-tx' when 'refund' then 'refund-tx' else 'other-tx' end,
    r.created_at, r.seq from request_txs t join requests r on r.id = t.request_id;
insert into request_touches (request_id) select id from requests;
`
