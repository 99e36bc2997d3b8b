/**
 * A transfer writes less to the write-ahead log (faults.md F133). Settings of storage hold for pages that are written from now on. A
 * transaction that changes a request several times leaves one touch: no reader can have taken a touch of a transaction that is open.
 */
export const fewerWritesSql = `
-- Rows that change several times within seconds: a new version finds room beside the one before and repeats only what changed.
alter table payout_attempts set (fillfactor = 50);
alter table payouts set (fillfactor = 50);
alter table deposits set (fillfactor = 60);
alter table orders set (fillfactor = 50);

-- Statistics say nothing about tables of few rows, or whose rows go within seconds: no statement of theirs has two plans.
alter table leases set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table chain_cursors set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table inventory set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table hold_slots set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table request_touches set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);
alter table request_count_changes set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000);

-- No statement looks up entries of one account: sums of accounts read all entries.
drop index ledger_entries_account;

create function touch_requests(p_ids bytea[]) returns void language plpgsql as $$
begin
  insert into request_touches (request_id)
    select distinct u.id from unnest(p_ids) u(id)
    where u.id is not null and not exists (
      select from request_touches t where t.request_id = u.id and t.xmin = pg_current_xact_id()::xid);
end $$;

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
  perform touch_requests(array(select id from added
    union all select p.id from added a join requests p on p.id in (a.told_as, a.answers_for)));
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
  perform touch_requests(array(select t.id from now n join before b using (id),
      lateral (select n.id union select p.id from requests p where p.id in (n.told_as, n.answers_for)) t
    where n.version <> b.version or (n.superseded_by, n.depositor, n.refund_to, n.fail_reason, n.refund_fail_reason, n.fill_seconds)
      is distinct from (b.superseded_by, b.depositor, b.refund_to, b.fail_reason, b.refund_fail_reason, b.fill_seconds)));
  return null;
end $$;

create or replace function request_txs_added() returns trigger language plpgsql as $$
begin
  insert into request_terms (term, kind, created_at, seq)
    select search_term(c.tx_id), case c.purpose when 'deposit' then 'deposit-tx' when 'fill' then 'fill-tx' when 'refund' then 'refund-tx' else 'other-tx' end,
      r.created_at, r.seq
    from changed c join requests r on r.id = c.request_id on conflict do nothing;
  perform touch_requests(array(select request_id from changed));
  return null;
end $$;

create or replace function request_txs_moved() returns trigger language plpgsql as $$
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
  perform touch_requests(array(select request_id from now union all select request_id from before));
  return null;
end $$;

create or replace function request_touched() returns trigger language plpgsql as $$
begin
  perform touch_requests(array(select request_id from changed));
  return null;
end $$;

-- A record shows nothing of a withdrawal but that the deposit is withdrawn, of which the deposit tells.
create function payouts_touched() returns trigger language plpgsql as $$
begin
  perform touch_requests(array(select request_id from changed where purpose <> 'withdraw'));
  return null;
end $$;
drop trigger payouts_added on payouts;
drop trigger payouts_changed on payouts;
create trigger payouts_added after insert on payouts referencing new table as changed for each statement execute function payouts_touched();
create trigger payouts_changed after update on payouts referencing new table as changed for each statement execute function payouts_touched();
`
