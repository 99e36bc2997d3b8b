/**
 * The user's transfer into a deposit address is a word of its request, and the payer is its depositor. A request is as old as its quote.
 * The record of a request is rebuilt when the requests that it answers for change.
 */
export const recordTruthSql = `
create index deposit_arrivals_tx on deposit_arrivals (tx_id);

-- Who paid into an address, without a tag; null where the chain does not show one account.
create function payer_of(p_address bigint, p_tx text) returns text stable language sql as $$
  select split_part(d.sender, '?', 1) from deposit_arrivals d
  where d.address_id = p_address and d.tx_id = p_tx and d.sender is not null order by d.id limit 1
$$;

create or replace function requests_added() returns trigger language plpgsql as $$
begin
  insert into request_count_changes (status, origin_chain_id, destination_chain_id, change)
    select status, origin_chain_id, destination_chain_id, count(*) from added group by 1, 2, 3;
  insert into request_terms (term, kind, created_at, seq)
    select search_term(w.term), w.kind, a.created_at, a.seq
    from added a, lateral (values ('0x' || encode(a.id, 'hex'), 'id'), ('0x' || encode(a.order_id, 'hex'), 'order'),
      (a.user_address, 'user'), (a.recipient, 'recipient'), (a.depositor, 'depositor'), (a.deposit_address, 'deposit-address'),
      (a.transfer_tx, 'deposit-tx')) w(term, kind)
    where w.term is not null and w.term <> '' on conflict do nothing;
  insert into request_touches (request_id) select id from added
    union all select p.id from added a join requests p on p.id in (a.told_as, a.answers_for);
  return null;
end $$;

create or replace function requests_changed() returns trigger language plpgsql as $$
begin
  insert into request_count_changes (status, origin_chain_id, destination_chain_id, change)
    select status, origin_chain_id, destination_chain_id, sum(change) from (
      select n.status, n.origin_chain_id, n.destination_chain_id, 1 as change from now n join before b using (id) where n.status <> b.status
      union all
      select b.status, b.origin_chain_id, b.destination_chain_id, -1 from now n join before b using (id) where n.status <> b.status
    ) c group by 1, 2, 3 having sum(change) <> 0;
  insert into request_terms (term, kind, created_at, seq)
    select search_term(w.term), w.kind, n.created_at, n.seq from now n join before b using (id),
      lateral (values (n.depositor, b.depositor, 'depositor'), (n.transfer_tx, b.transfer_tx, 'deposit-tx')) w(term, old, kind)
    where w.term is distinct from w.old and w.term is not null on conflict do nothing;
  insert into request_touches (request_id)
    select t.id from now n join before b using (id),
      lateral (select n.id union select p.id from requests p where p.id in (n.told_as, n.answers_for)) t
    where n.version <> b.version or (n.superseded_by, n.depositor, n.refund_to, n.fail_reason, n.refund_fail_reason, n.fill_seconds)
      is distinct from (b.superseded_by, b.depositor, b.refund_to, b.fail_reason, b.refund_fail_reason, b.fill_seconds);
  return null;
end $$;

update requests r set depositor = payer_of(a.id, r.transfer_tx) from deposit_addresses a
  where r.deposit_address is not null and a.order_id = r.order_id;
insert into request_terms (term, kind, created_at, seq)
  select search_term(transfer_tx), 'deposit-tx', created_at, seq from requests where transfer_tx is not null on conflict do nothing;
insert into request_touches (request_id) select id from requests where deposit_address is not null;
`
