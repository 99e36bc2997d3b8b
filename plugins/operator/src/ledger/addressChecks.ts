import { BROUGHT_SQL, HELD_SQL } from '@causeway/core/money-path'
import { type BookCheck, DEFECT, TAMPERED } from './bookCheck.js'

const SHOWN_ORDER = 'case when d.given then d.shown_order_id else d.order_id end'

/** Checks of what lies at addresses to pay to and belongs to nobody yet (architecture.md 3, Addresses to pay to). */
export const addressChecks: readonly BookCheck[] = [
  {
    name: 'address-accounts',
    rule: 'what lies at addresses is unswept and nothing else: the accounts `addresses` and `unswept` sum to zero together',
    remedy: TAMPERED,
    sql: `select array['ledger transaction ' || e.transaction_id] as ids,
        'addresses and unswept are ' || sum(e.amount) || ' of ' || e.currency || ' on chain ' || e.chain_id || ' apart' as says
      from ledger_entries e where e.account in ('addresses', 'unswept')
      group by e.transaction_id, e.chain_id, e.currency having sum(e.amount) <> 0 order by e.transaction_id`,
  },
  {
    name: 'address-ledger',
    rule: 'the account `addresses` holds just what lies at each address by its books',
    remedy: DEFECT,
    sql: `with posted as (
        select t.cause, sum(e.amount) as amount from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where e.account = 'addresses' group by 1
      ), books as (
        select 'address:' || b.address_id || ':' || b.chain_id || ':' || b.currency as cause, ${HELD_SQL} as held from deposit_address_books b
      )
      select array['deposit address ' || split_part(cause, ':', 2), cause] as ids, 'the ledger has ' || coalesce(p.amount, 0)
          || ' there, its books ' || coalesce(b.held, 0) as says
      from posted p full join books b using (cause) where coalesce(p.amount, 0) <> coalesce(b.held, 0) order by cause`,
  },
  {
    name: 'address-books',
    rule: 'the books of an address have just the payments in blocks and what the deposits of its sweeps brought, and nothing below zero',
    remedy: DEFECT,
    sql: `with arrived as (
        select address_id, chain_id, currency, sum(amount) as amount from deposit_arrivals where state = 'included' group by 1, 2, 3
      ), swept as (
        select a.id as address_id, d.chain_id, d.currency, sum(${BROUGHT_SQL}) as amount from deposits d
        join deposit_addresses a on a.order_id = ${SHOWN_ORDER} group by 1, 2, 3
      )
      select array['deposit address ' || address_id] as ids, 'has ' || coalesce(b.arrived, 0) || ' arrived, ' || coalesce(b.swept, 0) || ' swept and '
          || coalesce(b.gone, 0) || ' gone of ' || currency || ' on chain ' || chain_id || '; its payments are ' || coalesce(v.amount, 0)
          || ', its deposits ' || coalesce(s.amount, 0) as says
      from deposit_address_books b full join arrived v using (address_id, chain_id, currency) full join swept s using (address_id, chain_id, currency)
      where coalesce(b.arrived, 0) <> coalesce(v.amount, 0) or coalesce(b.swept, 0) <> coalesce(s.amount, 0)
        or least(b.arrived, b.swept, b.gone) < 0 order by address_id`,
  },
  {
    name: 'arrival-deposit',
    rule: 'a payment to an address is in a deposit of that address, of its chain and currency, or in none',
    remedy: DEFECT,
    sql: `select array['deposit ' || v.taken_by, 'deposit address ' || v.address_id] as ids,
        'has the payment ' || v.tx_id || case when d.state <> 'included' then ' and is ' || d.state else ' of another address, chain or currency' end as says
      from deposit_arrivals v join deposit_addresses a on a.id = v.address_id join deposits d on d.id = v.taken_by
      where d.state <> 'included' or d.chain_id <> v.chain_id or d.currency <> v.currency or a.order_id is distinct from ${SHOWN_ORDER}
      order by v.id`,
  },
]
