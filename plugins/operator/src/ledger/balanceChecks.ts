import { type BookCheck, DEFECT, TAMPERED } from './bookCheck.js'

/** What wallets are owed by an account, by the payout it was posted under; `exposure` is what they owe. */
const bookedFor = (account: string): string => `
  select t.cause, e.holder, e.chain_id, e.currency, -sum(e.amount) as amount
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where e.account = '${account}' group by 1, 2, 3, 4`

/** Payouts with what their data say of balances. */
const PAYOUTS = `select p.id, 'payout:' || p.id as cause, p.state, p.earning, nullif(p.data, '')::jsonb as data from payouts p
  where p.data like '%"sponsorship"%' or p.data like '%"earnings"%'`

/** Compares \`booked\` with \`due\`, both (cause, holder, chain_id, currency, amount). */
const differences = (what: string): string => `
  select array['wallet ' || holder, replace(cause, ':', ' ')] as ids,
    coalesce(b.amount, 0) || ' of ' || currency || ' is ${what} by the ledger, should be ' || coalesce(d.amount, 0) as says
  from booked b full join due d using (cause, holder, chain_id, currency)
  where coalesce(b.amount, 0) <> coalesce(d.amount, 0) order by cause, holder`

/** Checks of what the deployment owes to wallets (architecture.md 6, Balances). */
export const balanceChecks: readonly BookCheck[] = [
  {
    name: 'balance-sum',
    rule: 'the running sum of each account of a wallet is that of its entries',
    remedy: TAMPERED,
    sql: `with sums as (
        select holder, account, chain_id, currency, sum(amount) as amount from app_balances group by 1, 2, 3, 4
      ), entries as (
        select holder, account, chain_id, currency, sum(amount * case account when 'exposure' then 1 else -1 end) as amount
        from ledger_entries where account <> 'integrator' and holder is not null group by 1, 2, 3, 4
      )
      select array['wallet ' || holder, account] as ids, 'the sum says ' || coalesce(s.amount, 0) || ' of ' || currency || ' on chain ' || chain_id
          || ', the entries ' || coalesce(e.amount, 0) as says
      from sums s full join entries e using (holder, account, chain_id, currency)
      where coalesce(s.amount, 0) <> coalesce(e.amount, 0) order by holder, account`,
  },
  {
    name: 'balance-negative',
    rule: 'no account of a wallet is below zero, nor any part of its sum',
    remedy: TAMPERED,
    sql: `select array['wallet ' || holder, account] as ids, 'part ' || slot || ' of ' || currency || ' on chain ' || chain_id || ' is ' || amount as says
      from app_balances where amount < 0
      union all
      select array['wallet ' || holder, account], 'its entries sum up to ' || sum(amount * case account when 'exposure' then 1 else -1 end)
          || ' of ' || currency || ' on chain ' || chain_id
      from ledger_entries where account <> 'integrator' and holder is not null
      group by holder, account, chain_id, currency having sum(amount * case account when 'exposure' then 1 else -1 end) < 0`,
  },
  {
    name: 'sponsored-fill',
    rule: 'what is set aside of a sponsor is that of its decided fills that are not in a block',
    remedy: DEFECT,
    sql: `with booked as (${bookedFor('sponsored')}), due as (
        select cause, data -> 'sponsorship' ->> 'holder' as holder, (data -> 'sponsorship' ->> 'chainId')::bigint as chain_id,
          data -> 'sponsorship' ->> 'currency' as currency, (data -> 'sponsorship' ->> 'amount')::numeric as amount
        from (${PAYOUTS}) p where data ? 'sponsorship' and state in ('ready', 'signed')
      ) ${differences('set aside')}`,
  },
  {
    name: 'open-earning',
    rule: 'what wallets earn by a fill in a block is owed to them as earned until it is settled, and then as free',
    remedy: DEFECT,
    sql: `with booked as (${bookedFor('earned')}), due as (
        select cause, e.item ->> 'holder' as holder, (data -> 'earnings' ->> 'chainId')::bigint as chain_id, data -> 'earnings' ->> 'currency' as currency,
          sum((e.item ->> 'worth')::numeric) as amount
        from (${PAYOUTS}) p cross join lateral jsonb_array_elements(p.data -> 'earnings' -> 'list') e(item)
        where state in ('included', 'final') and earning = 'open' group by 1, 2, 3, 4
      ) ${differences('earned')}`,
  },
  {
    name: 'open-claim',
    rule: 'what is on its way to wallets is that of signed claims that are not in a block',
    remedy: DEFECT,
    sql: `with booked as (${bookedFor('claimed')}), due as (
        select 'payout:' || p.id as cause, c.wallet as holder, c.balance_chain_id as chain_id, c.balance_currency as currency, c.amount
        from claims c join payouts p on p.id = c.payout_id where p.state in ('ready', 'signed')
      ) ${differences('on its way')}`,
  },
  {
    name: 'fast-fill-collateral',
    rule: 'what is set aside for fast fills is the collateral of those that are not over',
    remedy: DEFECT,
    sql: `with booked as (
        select holder, chain_id, currency, -sum(amount) as amount from ledger_entries where account = 'collateral' group by 1, 2, 3
      ), due as (
        select wallet as holder, balance_chain_id as chain_id, balance_currency as currency, sum(collateral) as amount
        from fast_fills where state in ('queued', 'filling', 'paid') group by 1, 2, 3
      )
      select array['wallet ' || holder, 'collateral'] as ids, coalesce(b.amount, 0) || ' of ' || currency || ' on chain ' || chain_id
          || ' is set aside, its fast fills need ' || coalesce(d.amount, 0) as says
      from booked b full join due d using (holder, chain_id, currency) where coalesce(b.amount, 0) <> coalesce(d.amount, 0) order by holder`,
  },
  {
    name: 'fast-fill-exposure',
    rule: 'what wallets owe is what fast fills in a block paid out for deposits that are not settled',
    remedy: DEFECT,
    sql: `with booked as (
        select holder, chain_id, currency, sum(amount) as amount from ledger_entries where account = 'exposure' group by 1, 2, 3
      ), due as (
        select p.fill ->> 'holder' as holder, (p.fill ->> 'chainId')::bigint as chain_id, p.fill ->> 'currency' as currency,
          sum((p.fill ->> 'amount')::numeric) as amount
        from fast_fills f join (select id, state, nullif(data, '')::jsonb -> 'fastFill' as fill from payouts where data like '%"fastFill"%') p
          on p.id = f.payout_id
        where f.state in ('filling', 'paid') and p.state in ('included', 'final') group by 1, 2, 3
      )
      select array['wallet ' || holder, 'exposure'] as ids, coalesce(b.amount, 0) || ' of ' || currency || ' on chain ' || chain_id
          || ' is owed by the ledger, by fast fills ' || coalesce(d.amount, 0) as says
      from booked b full join due d using (holder, chain_id, currency) where coalesce(b.amount, 0) <> coalesce(d.amount, 0) order by holder`,
  },
]
