/** Double entry. \`post_ledger\` is the only writer; entries of one transaction sum to zero per currency or nothing is written. */
export const ledgerSql = `
create table ledger_transactions (
  id bigint generated always as identity primary key,
  cause text not null,
  event text not null,
  posted_at timestamptz not null,
  unique (cause, event)
);

create table ledger_entries (
  transaction_id bigint not null references ledger_transactions,
  account text not null check (account in (
    'depository', 'owed', 'wallet', 'fees', 'conversion', 'gas', 'parked', 'capital', 'loss')),
  chain_id bigint not null,
  currency text not null,
  amount numeric(78, 0) not null check (amount <> 0)
);
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_account on ledger_entries (chain_id, currency, account) include (amount);

create function post_ledger(p_cause text, p_event text, p_at timestamptz, p_entries jsonb) returns boolean
language plpgsql as $$
declare
  new_id bigint;
begin
  insert into ledger_transactions (cause, event, posted_at) values (p_cause, p_event, p_at)
  on conflict (cause, event) do nothing returning id into new_id;
  if new_id is null then return false; end if;
  perform set_config('causeway.ledger_writer', new_id::text, true);
  insert into ledger_entries (transaction_id, account, chain_id, currency, amount)
  select new_id, e->>'account', (e->>'chainId')::bigint, e->>'currency', (e->>'amount')::numeric
  from jsonb_array_elements(p_entries) e
  where (e->>'amount')::numeric <> 0;
  perform set_config('causeway.ledger_writer', '', true);
  return true;
end $$;

create function check_ledger() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from ledger_entries where transaction_id in (select transaction_id from added)
    group by transaction_id, chain_id, currency having sum(amount) <> 0
  ) then
    raise exception 'ledger entries do not sum to zero per currency' using errcode = 'CW002';
  end if;
  if exists (select 1 from added where transaction_id::text is distinct from current_setting('causeway.ledger_writer', true)) then
    raise exception 'the ledger is written by post_ledger only' using errcode = 'CW003';
  end if;
  return null;
end $$;
create trigger ledger_balanced after insert on ledger_entries
  referencing new table as added for each statement execute function check_ledger();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger rows never change; post a contra entry' using errcode = 'CW003';
end $$;
create trigger ledger_entries_fixed before update or delete on ledger_entries
  for each statement execute function refuse_ledger_change();
create trigger ledger_transactions_fixed before update or delete on ledger_transactions
  for each statement execute function refuse_ledger_change();
`
