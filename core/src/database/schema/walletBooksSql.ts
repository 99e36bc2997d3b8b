/**
 * What the books say each wallet holds, kept as a sum by the only writer of the ledger, so that it is compared with the chain as often
 * as the balance is read, however long the books are; and what that comparison found (F128).
 */
export const walletBooksSql = `
create table wallet_books (
  chain_id bigint not null,
  currency text not null,
  amount numeric(78, 0) not null,
  primary key (chain_id, currency)
);
insert into wallet_books (chain_id, currency, amount)
  select chain_id, currency, sum(amount) from ledger_entries where account = 'wallet' group by chain_id, currency;

create or replace function post_ledger(p_cause text, p_event text, p_at timestamptz, p_entries jsonb) returns boolean
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
  -- A wallet is paid from by its own lane alone, so nobody waits for the row.
  insert into wallet_books (chain_id, currency, amount)
  select (e->>'chainId')::bigint, e->>'currency', sum((e->>'amount')::numeric)
  from jsonb_array_elements(p_entries) e
  where e->>'account' = 'wallet' group by 1, 2 order by 1, 2
  on conflict (chain_id, currency) do update set amount = wallet_books.amount + excluded.amount;
  return true;
end $$;

-- On the chain less by the books, as far as nothing under way explains it, and since when; and what of it may be gas not booked yet.
alter table inventory
  add column signer text,
  add column difference numeric(78, 0) not null default 0,
  add column difference_since timestamptz,
  add column tolerance numeric(78, 0) not null default 0;

-- What was booked above the height of a balance is found without reading what was ever paid.
create index payouts_included_height on payouts (chain_id, included_height) where included_height is not null;
create index payout_attempts_height on payout_attempts (chain_id, block_height) where block_height is not null;
`
