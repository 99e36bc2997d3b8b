/**
 * Orders of the operator over the wallets: the text that an operator's key signed, and its signature. The payout of an order has its id
 * and no deposit. What stands in these rows moves nothing: the lane that signs checks the signature by its own configuration.
 */
export const walletOrdersSql = `
-- With the history in which its data began. In another one it may lack what was written since, and whole lanes too (faults.md F120):
-- heights are those of the chains, by id, as the data had them when that was noted.
create table database_id (
  one boolean primary key default true check (one),
  id uuid not null,
  history text not null default server_history(),
  noted text,
  heights jsonb
);
insert into database_id (id) values (gen_random_uuid());

create table wallet_orders (
  id bytea primary key,
  chain_id bigint not null,
  body text not null,
  signature text not null,
  created_at timestamptz not null
);

alter table payouts drop constraint payouts_purpose_check;
alter table payouts add constraint payouts_purpose_check
  check (purpose in ('fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim', 'send', 'approve'));
alter table payouts drop constraint payouts_amount_check;
alter table payouts add constraint payouts_amount_check check (amount > 0 or purpose = 'approve' and amount = 0);
alter table payouts add constraint payouts_wallet check (
  purpose not in ('send', 'approve') or deposit_id is null and request_id is null and order_id is not null);
create index payouts_wallet_orders on payouts (order_id) where purpose in ('send', 'approve');

-- An allowance promises nothing to anybody but contracts of the deployment: the money stays in the wallet.
create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance - i.reserved
    - coalesce((select sum(case when p.currency = p_currency then p.amount else 0 end
            + case when p.topup_currency = p_currency then p.topup_amount else 0 end)
        from payouts p
        where p.chain_id = p_chain and (p.currency = p_currency or p.topup_currency = p_currency)
          and p.purpose not in ('withdraw', 'approve')
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
    - coalesce((select sum(r.topup_amount) from requests r
        where r.destination_chain_id = p_chain and r.topup_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;
`
