/** Transactions that are sent for users who only sign (architecture.md 3, `origin`): they move nobody's inventory. */
export const originPayoutsSql = `
alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim', 'send', 'approve', 'origin'));
alter table payouts drop constraint payouts_amount_check;
alter table payouts add constraint payouts_amount_check check (amount > 0 or purpose in ('approve', 'origin') and amount = 0);
alter table payouts add constraint payouts_origin check (
  purpose <> 'origin' or deposit_id is null and request_id is not null and order_id is not null);
-- Looked up where a deposit carries an order: what brought it was perhaps sent by us.
create index payouts_origin_orders on payouts (order_id) where purpose = 'origin';

-- What the keys that send for users hold: gas, which is nobody's inventory.
alter table ledger_entries drop constraint ledger_entries_account_check;
alter table ledger_entries add constraint ledger_entries_account_check check (account in (
  'depository', 'owed', 'wallet', 'fees', 'integrator', 'conversion', 'gas', 'parked', 'capital', 'loss', 'addresses', 'unswept',
  'app', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure', 'sender')) not valid;

-- Keys that send for users hold nothing but gas: no payout key follows them, nor they it.
alter table lanes add column kind text not null default 'payout' check (kind in ('payout', 'origin'));

create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance - i.reserved
    - coalesce((select sum(case when p.currency = p_currency then p.amount else 0 end
            + case when p.topup_currency = p_currency then p.topup_amount else 0 end)
        from payouts p
        where p.chain_id = p_chain and (p.currency = p_currency or p.topup_currency = p_currency)
          and p.purpose not in ('withdraw', 'approve', 'sweep', 'origin')
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
    - coalesce((select sum(r.topup_amount) from requests r
        where r.destination_chain_id = p_chain and r.topup_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;
`
