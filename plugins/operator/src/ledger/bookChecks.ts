import { addressChecks } from './addressChecks.js'
import { balanceChecks } from './balanceChecks.js'
import { type BookCheck, DEFECT, TAMPERED } from './bookCheck.js'

/** Sums of the postings under one cause, by chain and currency; `kind` is the word before the number. */
const bookedUnder = (kind: 'deposit' | 'payout'): string => `
  select substr(t.cause, ${kind.length + 2})::bigint as id, e.chain_id, e.currency,
    coalesce(sum(e.amount) filter (where e.account = 'depository'), 0) as depository,
    coalesce(sum(e.amount) filter (where e.account = 'wallet'), 0) as wallet,
    coalesce(sum(e.amount) filter (where e.account = 'owed'), 0) as owed,
    coalesce(sum(e.amount) filter (where e.account = 'parked'), 0) as parked
  from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.cause ~ '^${kind}:[0-9]{1,18}$' group by 1, 2, 3`

/** What each deposit's money came to over its own postings and those of its payouts. */
const BY_DEPOSIT = `
  select d.id, sum(b.owed) as owed, sum(b.parked) as parked
  from (
    ${bookedUnder('deposit')}
    union all
    select p.deposit_id, b.chain_id, b.currency, b.depository, b.wallet, b.owed, b.parked
    from (${bookedUnder('payout')}) b join payouts p on p.id = b.id
  ) b join deposits d on d.id = b.id and d.chain_id = b.chain_id and d.currency = b.currency
  group by d.id`

/** What a payout takes of its deposit, in the deposit's currency. */
const CONSUMED = `case p.purpose when 'fill' then d.amount - coalesce((nullif(p.data, '')::jsonb ->> 'excess')::numeric, 0)
    when 'withdraw' then 0 else p.amount + p.fees end`

/** Checks of the books alone: one statement each, all in one snapshot. */
export const bookChecks: readonly BookCheck[] = [
  {
    name: 'unbalanced',
    rule: 'every ledger transaction sums to zero per currency (invariant 5)',
    remedy: TAMPERED,
    sql: `select array['ledger transaction ' || e.transaction_id] as ids,
        coalesce(min(t.cause) || ' ' || min(t.event), 'an entry without transaction') || ' is off by ' || sum(e.amount) || ' of ' || e.currency
          || ' on chain ' || e.chain_id as says
      from ledger_entries e left join ledger_transactions t on t.id = e.transaction_id
      group by e.transaction_id, e.chain_id, e.currency having sum(e.amount) <> 0 or count(t.id) = 0 order by e.transaction_id`,
  },
  {
    name: 'empty-transaction',
    rule: 'every ledger transaction has entries',
    remedy: TAMPERED,
    sql: `select array['ledger transaction ' || t.id] as ids, t.cause || ' ' || t.event || ' has no entries' as says
      from ledger_transactions t where not exists (select 1 from ledger_entries e where e.transaction_id = t.id) order by t.id`,
  },
  {
    name: 'wallet-sum',
    rule: 'the running sum of each wallet is that of its entries',
    remedy: TAMPERED,
    sql: `select array['wallet ' || chain_id || ' ' || currency] as ids,
        'the sum says ' || coalesce(w.amount, 0) || ', the entries ' || coalesce(e.amount, 0) as says
      from wallet_books w full join (
        select chain_id, currency, sum(amount) as amount from ledger_entries where account = 'wallet' group by 1, 2) e using (chain_id, currency)
      where coalesce(w.amount, 0) <> coalesce(e.amount, 0) order by chain_id, currency`,
  },
  {
    name: 'posting-without-event',
    rule: 'every posting has the deposit, payout, transaction, request, address or fast fill it tells of',
    remedy: TAMPERED,
    sql: `select array['ledger transaction ' || t.id] as ids, t.cause || ' ' || t.event || ' tells of nothing this database knows' as says
      from ledger_transactions t
      left join deposits d on t.cause = 'deposit:' || d.id
      left join payouts p on t.cause = 'payout:' || p.id
      left join payout_attempts a on t.cause = 'gas:' || a.chain_id || ':' || a.tx_id
      left join requests r on t.cause = 'request:0x' || encode(r.id, 'hex')
      left join deposit_address_books b on t.cause = 'address:' || b.address_id || ':' || b.chain_id || ':' || b.currency
      left join fast_fills f on t.cause = 'fast-fill:0x' || encode(f.request_id, 'hex')
      where d.id is null and p.id is null and a.tx_id is null and b.address_id is null and r.id is null and f.request_id is null and t.cause not like 'capital:%' order by t.id`,
  },
  {
    name: 'deposit-belongs',
    rule: 'every deposit belongs to exactly one request, to a wallet, or to parked',
    remedy: TAMPERED,
    sql: `select array['deposit ' || d.id] as ids,
        case when d.request_id is null then 'belongs to no request, no wallet or several, and is not parked'
          when d.parked_reason is not null then 'is parked and belongs to a request' else 'belongs to a request that does not exist' end as says
      from deposits d left join requests r on r.id = d.request_id
      where case when d.request_id is not null then d.parked_reason is not null or r.id is null
        else (d.parked_reason is null) = (d.holder is null) end order by d.id`,
  },
  {
    name: 'deposit-booking',
    rule: 'the depository holds by the books just what each included deposit brought',
    remedy: DEFECT,
    sql: `with booked as (${bookedUnder('deposit')})
      select array['deposit ' || coalesce(d.id, b.id)] as ids, 'booked ' || coalesce(b.depository, 0) || ', '
          || coalesce(d.state || ' with ' || d.amount, 'but there is no such deposit') as says
      from deposits d full join booked b on b.id = d.id and b.chain_id = d.chain_id and b.currency = d.currency
      where coalesce(b.depository, 0) <> case when d.state = 'included' then d.amount else 0 end order by coalesce(d.id, b.id)`,
  },
  {
    name: 'payout-booking',
    rule: 'an included payout is booked once, any other not at all',
    remedy: DEFECT,
    sql: `with booked as (${bookedUnder('payout')}), topups as (
        select id, chain_id, purpose, state, nullif(data, '')::jsonb -> 'topup' as topup from payouts where purpose = 'fill' and data like '%"topup"%'
      ), due as (
        select id, chain_id, currency, max(purpose) as purpose, max(state) as state, sum(amount) as amount from (
          select id, chain_id, currency, purpose, state, amount from payouts
          union all
          select id, chain_id, topup ->> 'currency', purpose, state, (topup ->> 'amount')::numeric from topups where topup is not null) parts
        group by id, chain_id, currency
      )
      select array['payout ' || coalesce(p.id, b.id)] as ids, 'the wallet was booked ' || coalesce(b.wallet, 0) || ', '
          || coalesce(p.purpose || ' of ' || p.amount || ' is ' || p.state, 'but there is no such payout') as says
      from due p full join booked b on b.id = p.id and b.chain_id = p.chain_id and b.currency = p.currency
      where coalesce(b.wallet, 0) <> case when p.state not in ('included', 'final') or p.id is null then 0
        when p.purpose = 'withdraw' then p.amount when p.purpose in ('approve', 'sweep', 'origin') then 0 else -p.amount end order by coalesce(p.id, b.id)`,
  },
  {
    name: 'payout-debt',
    rule: 'an included fill, refund or excess pays just what was owed for it',
    remedy: DEFECT,
    sql: `with booked as (${bookedUnder('payout')})
      select array['payout ' || p.id, 'deposit ' || d.id] as ids,
        'paid off ' || coalesce(b.owed, 0) || ' of the debt, should be ' || ${CONSUMED} as says
      from payouts p join deposits d on d.id = p.deposit_id
      left join booked b on b.id = p.id and b.chain_id = d.chain_id and b.currency = d.currency
      where p.state in ('included', 'final') and coalesce(b.owed, 0) <> ${CONSUMED} order by p.id`,
  },
  {
    name: 'integrator-fee',
    rule: 'of the fees of an included fill its integrator is owed just its part',
    remedy: DEFECT,
    sql: `with booked as (
        select substr(t.cause, 8)::bigint as id, -sum(e.amount) as amount, min(e.holder) as holder
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        where e.account = 'integrator' and t.cause ~ '^payout:[0-9]{1,18}$' group by 1 having sum(e.amount) <> 0
      ), due as (
        -- What wallets earn goes first.
        select p.id, least((i.data -> 'integratorFee' ->> 'amount')::numeric, p.fees - least(p.fees, coalesce((
            select sum((e.item ->> 'fromDeposit')::numeric) from jsonb_array_elements(i.data -> 'earnings' -> 'list') e(item)), 0))) as amount,
          i.data -> 'integratorFee' ->> 'integratorId' as holder
        from payouts p cross join lateral (select nullif(p.data, '')::jsonb as data) i
        where p.purpose = 'fill' and p.state in ('included', 'final') and i.data ? 'integratorFee' and p.fees > 0
      )
      select array['payout ' || coalesce(d.id, b.id)] as ids, 'booked ' || coalesce(b.amount, 0) || ' for ' || coalesce(b.holder, 'nobody')
          || ', should be ' || coalesce(d.amount, 0) || ' for ' || coalesce(d.holder, 'nobody') as says
      from due d full join booked b on b.id = d.id
      where coalesce(b.amount, 0) <> coalesce(d.amount, 0) or b.holder is distinct from d.holder and coalesce(d.amount, 0) <> 0 order by 1`,
  },
  {
    name: 'gas-booking',
    rule: 'the gas of every transaction on the chain is booked once, failed and cancelled ones too',
    remedy: DEFECT,
    sql: `with booked as (
        select t.cause, coalesce(sum(e.amount) filter (where e.account in ('gas', 'loss')), 0) as gas
        from ledger_transactions t join ledger_entries e on e.transaction_id = t.id where t.cause like 'gas:%' group by 1
      ), paid as (
        select 'gas:' || chain_id || ':' || tx_id as cause, min(payout_id) filter (where not carried) as payout_id,
          coalesce(sum(fee + coalesce(currency_fee, 0)) filter (where state in ('included', 'reverted')), 0) as fee
        from payout_attempts group by chain_id, tx_id
      )
      select array['payout ' || coalesce(p.payout_id::text, '?'), coalesce(p.cause, b.cause)] as ids,
        'booked ' || coalesce(b.gas, 0) || ', the chain took ' || coalesce(p.fee, 0) as says
      from paid p full join booked b on b.cause = p.cause where coalesce(b.gas, 0) <> coalesce(p.fee, 0) order by p.payout_id`,
  },
  {
    name: 'deposit-overspent',
    rule: 'fill, refund, excess, fees and parked never exceed the deposit (invariant 1)',
    remedy: DEFECT,
    sql: `with sums as (${BY_DEPOSIT}), promised as (
        select d.id, d.amount, sum(${CONSUMED}) as consumed from deposits d join payouts p on p.deposit_id = d.id
        where p.state not in ('dead', 'abandoned') group by d.id
      )
      select array['deposit ' || coalesce(s.id, p.id)] as ids, case
          when s.owed > 0 then s.owed || ' more was paid than was owed'
          when s.parked > 0 then s.parked || ' more was taken out of parked than was in it'
          else 'payouts take ' || p.consumed || ' and ' || -coalesce(s.parked, 0) || ' is parked, of ' || p.amount end as says
      from sums s full join promised p on p.id = s.id
      where s.owed > 0 or s.parked > 0 or p.consumed - coalesce(s.parked, 0) > p.amount order by 1`,
  },
  {
    name: 'paid-twice',
    rule: 'exactly one of fill and refund becomes final (invariant 1)',
    remedy: DEFECT,
    sql: `select array['deposit ' || f.deposit_id, 'payout ' || f.id, 'payout ' || r.id] as ids,
        'a fill is ' || f.state || ' and a refund is ' || r.state as says
      from payouts f join payouts r on r.deposit_id = f.deposit_id and r.purpose = 'refund' and r.state not in ('dead', 'abandoned')
      where f.purpose = 'fill' and f.state not in ('dead', 'abandoned') order by f.deposit_id`,
  },
  {
    name: 'outcome-payout',
    rule: 'a decided deposit has the payout of its outcome, and no other',
    remedy: DEFECT,
    sql: `select array['deposit ' || d.id] as ids, 'decided to ' || coalesce(d.outcome, 'nothing') || ', its payouts: '
          || coalesce(string_agg(p.purpose || ' ' || p.state, ', ' order by p.id), 'none') as says
      from deposits d left join requests r on r.id = d.request_id
      left join payouts p on p.deposit_id = d.id and p.purpose in ('fill', 'refund') and p.state <> 'dead'
      where d.outcome is distinct from 'balance' and (d.outcome is not null or p.id is not null)
      group by d.id, d.outcome, r.status
      having coalesce(bool_or(p.purpose is distinct from d.outcome) filter (where p.id is not null), false)
        or d.outcome is not null and count(p.id) = 0 and r.status is distinct from 'failure' order by d.id`,
  },
  {
    name: 'status-payout',
    rule: 'a request is success or refund exactly when that payout was included, or failure where too little of a fill arrived',
    remedy: DEFECT,
    sql: `with paid as (
        select request_id, bool_or(purpose = 'fill' and inclusions > 0 and state <> 'dead') as filled,
          bool_or(purpose = 'refund' and inclusions > 0 and state <> 'dead') as refunded,
          bool_or(purpose = 'fill' and state in ('included', 'final') and nullif(data, '')::jsonb ? 'short') as short
        from payouts where request_id is not null and purpose in ('fill', 'refund') group by 1
      )
      select array['request 0x' || encode(r.id, 'hex')] as ids, 'is ' || r.status || ', fill included: '
          || coalesce(p.filled, false) || ', refund included: ' || coalesce(p.refunded, false) as says
      from requests r left join paid p on p.request_id = r.id
      where ((r.status = 'success') <> coalesce(p.filled, false) or (r.status = 'refund') <> coalesce(p.refunded, false))
        and not (r.status = 'failure' and r.fail_reason = 'TOO_LITTLE_RECEIVED' and coalesce(p.short and not p.refunded, false))
        -- What a user carried out alone has no payout.
        and not (r.status = 'success' and r.terms::jsonb ? 'direct')
      order by r.seq`,
  },
  {
    name: 'debt-without-action',
    rule: 'what is owed for a finished request is being paid, or is parked',
    remedy: `${DEFECT} The money is safe: it is owed, not lost.`,
    sql: `with sums as (${BY_DEPOSIT})
      select array['deposit ' || d.id] || coalesce('request 0x' || encode(r.id, 'hex'), 'parked') as ids, -s.owed || ' is owed and nothing pays it' as says
      from sums s join deposits d on d.id = s.id left join requests r on r.id = d.request_id
      where s.owed < 0 and coalesce(r.status in ('success', 'failure', 'refund'), true)
        and not exists (select 1 from payouts p where p.deposit_id = d.id and p.state in ('ready', 'signed', 'included'))
        -- It pays what a fast fill lent, or becomes balance, once it is settled.
        and d.holder is null and not exists (
          select 1 from fast_fills f where f.order_id = d.order_id and f.state in ('queued', 'filling', 'paid')) order by d.id`,
  },
  {
    name: 'next-action',
    rule: 'what is unfinished has a next action with a time (invariant 4)',
    remedy: TAMPERED,
    sql: `select array['request 0x' || encode(id, 'hex')] as ids, 'is ' || status || ' and has no next action' as says
      from requests where status not in ('success', 'failure', 'refund') and (next_action is null or next_action_at is null)
      union all
      select array['payout ' || id], 'is ' || state || ' and has no next action'
      from payouts where state not in ('final', 'dead', 'abandoned') and (next_action is null or next_action_at is null)
      union all
      select array['request 0x' || encode(request_id, 'hex')], 'has a fast fill that is ' || state || ' and has no next action'
      from fast_fills where state in ('queued', 'filling', 'paid') and (next_action is null or next_action_at is null)`,
  },
  {
    name: 'order-owner',
    rule: 'an order is consumed by a deposit of its own request',
    remedy: DEFECT,
    sql: `select array['order 0x' || encode(o.order_id, 'hex'), 'deposit ' || o.consumed_by] as ids, 'is consumed by a deposit of another request' as says
      from orders o left join deposits d on d.id = o.consumed_by
      where o.consumed_by is not null and d.request_id is distinct from o.request_id`,
  },
  ...addressChecks,
  ...balanceChecks,
]
