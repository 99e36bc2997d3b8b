/** Orders that are filled ahead count against what a chain's deposits are trusted with, as deposits that are not settled do (faults.md F141). */
export const unsettledFastFillsSql = `
create index fast_fills_unsettled on fast_fills (origin_chain_id) where state in ('filling', 'paid');

create or replace function unsettled_payments(p_chain bigint, p_settle integer, p_since timestamptz)
returns table (tip bigint, currency text, amount numeric) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('unsettled payments'), hashtext(p_chain::text));
  return query
    with c as (select coalesce(max(k.tip), 0) as at from chain_cursors k where k.chain_id = p_chain),
    sums as (
      select u.currency, sum(u.amount) as amount from (
        select d.currency, d.amount from deposits d, c
        where d.chain_id = p_chain and d.block_height > c.at - p_settle and d.state = 'included' and d.outcome is not null
        union all
        select d.currency, d.amount from deposits d
        where d.chain_id = p_chain and d.outcome is not null and d.state in ('reorged', 'failed') and d.outcome_at > p_since
        union all
        select f.origin_currency, f.amount from fast_fills f where f.origin_chain_id = p_chain and f.state in ('filling', 'paid')
      ) u group by u.currency
    )
    select c.at, sums.currency, sums.amount from c left join sums on true;
end $$;
`
