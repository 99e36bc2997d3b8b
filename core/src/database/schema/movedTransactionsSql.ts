/**
 * A transaction that moves to another request takes its hash along: the new request is found by it, the old one no longer,
 * and the records of both are built anew.
 */
export const movedTransactionsSql = `
create function request_txs_moved() returns trigger language plpgsql as $$
begin
  insert into request_terms (term, kind, created_at, seq)
    select search_term(n.tx_id), case n.purpose when 'deposit' then 'deposit-tx' when 'fill' then 'fill-tx' when 'refund' then 'refund-tx' else 'other-tx' end,
      r.created_at, r.seq
    from now n join requests r on r.id = n.request_id
    where not exists (select from before b where b.request_id = n.request_id and b.tx_id = n.tx_id) on conflict do nothing;
  delete from request_terms t using before b join requests r on r.id = b.request_id
    where not exists (select from request_txs x where x.request_id = b.request_id and x.tx_id = b.tx_id)
      and t.term = search_term(b.tx_id) and t.created_at = r.created_at and t.seq = r.seq
      and t.kind in ('deposit-tx', 'fill-tx', 'refund-tx', 'other-tx');
  insert into request_touches (request_id) select request_id from now union select request_id from before;
  return null;
end $$;
drop trigger request_txs_changed on request_txs;
create trigger request_txs_changed after update on request_txs referencing new table as now old table as before
  for each statement execute function request_txs_moved();
`
