/**
 * What integrators have coming: an account of the books with a holder, their parts of the fees of fills less what was paid to them
 * (wire.md D.1). A build of the version before writes no holder.
 */
export const integratorFeesSql = `
alter table ledger_entries add column holder text;
-- Every row passed the narrower list before, so none is looked at again.
alter table ledger_entries drop constraint ledger_entries_account_check;
alter table ledger_entries add constraint ledger_entries_account_check check (account in (
  'depository', 'owed', 'wallet', 'fees', 'integrator', 'conversion', 'gas', 'parked', 'capital', 'loss')) not valid;
alter table ledger_entries add constraint ledger_entries_holder check ((holder is not null) = (account = 'integrator')) not valid;
create index ledger_entries_holder on ledger_entries (holder, chain_id, currency) include (amount) where holder is not null;

create or replace function post_ledger(p_cause text, p_event text, p_at timestamptz, p_entries jsonb) returns boolean
language plpgsql as $$
declare
  new_id bigint;
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
  return true;
end $$;
`
