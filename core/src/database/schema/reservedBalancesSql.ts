/** What a chain never lets go of a balance (reserve, rent) is held, and can be promised to nobody. */
export const reservedBalancesSql = `
alter table inventory add column reserved numeric(78, 0) not null default 0 check (reserved >= 0);

create or replace function spendable(p_chain bigint, p_currency text) returns numeric language plpgsql stable as $$
begin
  return (select i.balance - i.reserved
    - coalesce((select sum(case when p.currency = p_currency then p.amount else 0 end
            + case when p.topup_currency = p_currency then p.topup_amount else 0 end)
        from payouts p
        where p.chain_id = p_chain and (p.currency = p_currency or p.topup_currency = p_currency) and p.purpose <> 'withdraw'
          and (p.state in ('ready', 'signed') or (p.state = 'included' and p.included_height > i.height))), 0)
    - coalesce((select sum(r.amount_out) from requests r
        where r.destination_chain_id = p_chain and r.destination_currency = p_currency and r.committed), 0)
    - coalesce((select sum(r.topup_amount) from requests r
        where r.destination_chain_id = p_chain and r.topup_currency = p_currency and r.committed), 0)
  from inventory i where i.chain_id = p_chain and i.currency = p_currency);
end $$;
`
