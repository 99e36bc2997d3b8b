import type { PayoutPurpose } from '@causeway/core/chain'
import { BROUGHT_SQL } from '@causeway/core/money-path'
import type { RequestStatus } from '@causeway/core/plugin'
import type { Query } from '../database/query.js'

export type PayoutState = 'ready' | 'signed' | 'included' | 'final' | 'dead' | 'abandoned'

/** Ids of orders and requests are hex after 0x, amounts decimal text, times Unix milliseconds. */
export interface DepositRow {
  readonly id: number
  readonly chain: number
  readonly tx: string
  /** Its order, or else the id that the service made up for it: what its payments carry. */
  readonly order: string
  /** What its chain shows; null: no order. */
  readonly shown: string | null
  /** By an operator, or made for it, whatever its memo says. */
  readonly given: boolean
  readonly depositor: string
  readonly currency: string
  readonly amount: string
  /** Into the depository, by the books. */
  readonly brought: string
  readonly state: 'seen' | 'included' | 'dropped' | 'reorged' | 'failed'
  readonly request: string | null
  readonly parked: string | null
  readonly outcome: 'fill' | 'refund' | 'balance' | null
  /** Whose balance it is to become, or has. */
  readonly holder: string | null
  readonly outcomeAt: number | null
}

export interface PayoutRow {
  readonly id: number
  readonly purpose: PayoutPurpose
  readonly deposit: number | null
  readonly order: string | null
  readonly chain: number
  readonly to: string
  readonly currency: string
  readonly amount: string
  readonly fees: string
  /** Part of the deposit that a fill leaves over. */
  readonly excess: string
  readonly state: PayoutState
  readonly generation: number
  readonly reason: string | null
  readonly action: string | null
  readonly at: number | null
  /** Why it is put off. */
  readonly trouble: string | null
  /** Whether what wallets earn by it is settled; null: they earn nothing. */
  readonly earning: 'open' | 'settled' | null
  readonly earnings: (OwedMoney & { readonly list: readonly EarningRow[] }) | null
  readonly sponsorship:
    | (OwedMoney & { readonly holder: string; readonly amount: string; readonly rateCost: string })
    | null
  readonly claim: (OwedMoney & { readonly holder: string; readonly amount: string; readonly fee: string }) | null
  /** What the quote of its request keeps of the sponsor's balance. */
  readonly promised: string | null
  /** Quoted earnings of wallets in the currency of balances, and the quoted deposit; null: none. */
  readonly quoted: { readonly deposit: string; readonly worth: string } | null
  /** Bearer of the fee of a transaction that is sent for a user. */
  readonly borne: string | null
}

/** What balances are kept in. */
interface OwedMoney {
  readonly chainId: number
  readonly currency: string
}

/** What a wallet earns by a fill. */
export interface EarningRow {
  readonly holder: string
  readonly kind: 'app' | 'integrator' | 'rate'
  /** Of the deposit's currency, and what of it the deposit bears. */
  readonly amount: string
  readonly fromDeposit: string
  /** In the currency of balances. */
  readonly worth: string
}

/** What a wallet asked to be paid of its balance. */
export interface ClaimRow {
  readonly id: string
  readonly wallet: string
  readonly amount: string
  readonly chain: number
  readonly currency: string
  readonly recipient: string
  readonly minimum: string
  /** In the balance's own currency. */
  readonly own: boolean
  /** Null: it is not signed. */
  readonly payout: number | null
}

/** A claim that a chain shows and no payout here has made. */
export interface LostClaimRow {
  readonly id: string
  readonly wallet: string
  /** An operator accepted it. */
  readonly released: boolean
  /** What it took of which balance, as far as that is known; else what it paid. */
  readonly chain: number
  readonly currency: string
  readonly amount: string
}

export interface GenerationRow {
  readonly payout: number
  readonly generation: number
  readonly state: 'live' | 'dead'
}

export interface AttemptRow {
  readonly payout: number
  readonly generation: number
  readonly kind: 'pay' | 'cancel'
  readonly chain: number
  readonly tx: string
  readonly signed: boolean
  /** Not signed here but found on a chain. */
  readonly found: boolean
  /** What it says it takes. */
  readonly guards: readonly string[]
}

export interface GuardRow {
  readonly chain: number
  readonly key: string
  readonly payout: number
}

export interface RequestRow {
  readonly id: string
  readonly order: string | null
  /** The quote's own request, not one of a deposit that could not consume the order. */
  readonly own: boolean
  /** Its order was made for what came to an address. */
  readonly made: boolean
  readonly status: RequestStatus
  readonly version: number
  readonly committed: boolean
  readonly chain: number
  readonly currency: string
  readonly recipient: string
  readonly minimum: string
  /** What its order asks for. */
  readonly originChain: number
  readonly originCurrency: string
  readonly minimumIn: string
  readonly refundTo: string | null
  readonly action: string | null
  readonly at: number | null
}

/** An order that is filled ahead of its deposit. */
export interface FastFillRow {
  readonly request: string
  readonly order: string
  readonly state: 'queued' | 'filling' | 'paid' | 'settled' | 'debited' | 'ended'
  readonly payout: number | null
  readonly deposit: number | null
  readonly collateral: string
  /** Amount that its payout lent, and amount counted until its deposit is settled, both in the deposit's currency. */
  readonly lent: string
  readonly amount: string
  readonly origin: number
  readonly currency: string
  readonly chain: number
  readonly action: string | null
  readonly at: number | null
}

export interface EventRow {
  readonly request: string
  readonly version: number
  readonly status: RequestStatus
}

/** What stands in an account of the books because of a deposit, a payout, or anything else. */
export interface BookRow {
  /** Such as `deposit:7`; empty for gas and capital. */
  readonly cause: string
  readonly account: string
  /** Wallet or integrator whose account it is; empty: ours. */
  readonly holder: string
  readonly chain: number
  readonly currency: string
  readonly amount: string
}

export interface PlaceRow {
  readonly address: number
  readonly account: string
  readonly order: string
  readonly chain: number
  /** What the last look found. */
  readonly found: Readonly<Record<string, string>> | null
  /** By currency. */
  readonly books: readonly {
    readonly currency: string
    readonly arrived: string
    readonly swept: string
    readonly gone: string
  }[]
}

/** A payment to an address. */
export interface ArrivalRow {
  readonly address: number
  readonly chain: number
  readonly tx: string
  readonly currency: string
  readonly amount: string
  readonly state: 'seen' | 'included' | 'dropped' | 'reorged'
}

/** A transaction that is sent for a user who only signed. */
export interface OriginRow {
  readonly payout: number
  readonly request: string
  readonly order: string
  readonly chain: number
  readonly state: PayoutState
  readonly currency: string
  /** Account that signed a permit; null for a call. */
  readonly owner: string | null
  /** Its transaction was in a block that left its chain. */
  readonly left: boolean
}

/** What the database says, in one snapshot. */
export interface Rows {
  readonly deposits: readonly DepositRow[]
  readonly payouts: readonly PayoutRow[]
  readonly generations: readonly GenerationRow[]
  readonly attempts: readonly AttemptRow[]
  readonly guards: readonly GuardRow[]
  readonly requests: readonly RequestRow[]
  /** In the order in which readers of the outbox get them. */
  readonly events: readonly EventRow[]
  /** Requests and quotes under whose id something of others is told too. */
  readonly told: readonly string[]
  readonly books: readonly BookRow[]
  /** Ledger transactions that do not sum to zero in a currency. */
  readonly unbalanced: readonly number[]
  /** Payouts that wait for an operator: something else paid their order. */
  readonly barred: readonly number[]
  /** Chains whose payments wait for nothing but their turn: their lanes have been compared with the chain. */
  readonly open: readonly number[]
  /** Inventory held by quotes, by the end of the hold. */
  /** Addresses that users were told to pay to, on every chain on which they are looked at. */
  readonly places: readonly PlaceRow[]
  readonly arrivals: readonly ArrivalRow[]
  readonly claims: readonly ClaimRow[]
  /** Payments of claims that belong to no payout here: the database has lost what they paid. */
  readonly lostClaims: readonly LostClaimRow[]
  readonly fastFills: readonly FastFillRow[]
  readonly origins: readonly OriginRow[]
  /** Accounts of wallets whose running sum is not that of their entries. */
  readonly offBalances: readonly string[]
  readonly holds: readonly {
    readonly chain: number
    readonly currency: string
    readonly amount: string
    readonly until: number
  }[]
}

const HEX = (column: string): string => `'0x' || encode(${column}, 'hex')`
const MS = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`

const PARTS: Readonly<Record<keyof Rows, string>> = {
  deposits: `select id, chain_id as chain, tx_id || case when position > 0 then '#' || position else '' end as tx, ${HEX('coalesce(order_id, onchain_id)')} as order, ${HEX('case when given then shown_order_id else order_id end')} as shown, given, depositor, currency, amount::text as amount, ${BROUGHT_SQL}::text as brought, state,
    ${HEX('request_id')} as request, parked_reason as parked, outcome, holder, ${MS('outcome_at')} as "outcomeAt" from deposits d order by id`,
  payouts: `select id, purpose, deposit_id as deposit, ${HEX('order_id')} as order, chain_id as chain, recipient as to, currency, amount::text as amount, fees::text as fees,
    coalesce(data::json ->> 'excess', '0') as excess, state, generation, fail_reason as reason, next_action as action,
    ${MS('next_action_at')} as at, trouble, earning, data::json -> 'earnings' as earnings, data::json -> 'sponsorship' as sponsorship, data::json -> 'claim' as claim,
    case when data like '%"sponsorship"%' then (select r.terms::json -> 'sponsorship' ->> 'amount' from requests r where r.id = p.request_id) end as promised,
    case when data like '%"earnings"%' then (select json_build_object('deposit', r.terms::json ->> 'amountIn', 'worth',
      (select sum((e ->> 'worth')::numeric)::text from json_array_elements(r.terms::json -> 'earnings' -> 'list') e))
      from requests r where r.id = p.request_id) end as quoted, data::json #>> '{origin,borne,by}' as borne
    from (select id, purpose, deposit_id, request_id, order_id, recipient, chain_id, currency, amount, fees, nullif(data, '') as data, state, generation, fail_reason, next_action,
      next_action_at, trouble, earning from payouts) p order by id`,
  generations: 'select payout_id as payout, generation, state from payout_generations order by 1, 2',
  attempts: `select payout_id as payout, generation, kind, chain_id as chain, tx_id as tx, raw <> '' as signed, raw = '0x' as found,
    coalesce(prepared::json -> 'guards', '[]') as guards from payout_attempts order by 1, 2, version`,
  guards: 'select chain_id as chain, guard_key as key, payout_id as payout from payout_guards order by 1, 2',
  requests: `select ${HEX('id')} as id, ${HEX('order_id')} as order, parent_request_id is null as own,
    parent_request_id is not null and exists (select from orders o where o.request_id = requests.id) as made, status, version, committed,
    destination_chain_id as chain, destination_currency as currency, recipient, terms::json ->> 'minimumOut' as minimum, refund_to as "refundTo",
    origin_chain_id as "originChain", origin_currency as "originCurrency", coalesce(terms::json ->> 'minimumIn', '0') as "minimumIn",
    next_action as action, ${MS('next_action_at')} as at from requests order by seq`,
  events: `select ${HEX('request_id')} as request, version, status from request_events order by xid, seq`,
  told: `select ${HEX('quote_id')} from told_quotes order by 1`,
  books: `select case when t.cause like 'gas:%' or t.cause like 'capital:%' then '' else t.cause end as cause, e.account, coalesce(e.holder, '') as holder, e.chain_id as chain, e.currency, sum(e.amount)::text as amount
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id group by 1, 2, 3, 4, 5 having sum(e.amount) <> 0 order by 1, 2, 3, 4, 5`,
  unbalanced: `select transaction_id from ledger_entries group by transaction_id, chain_id, currency having sum(amount) <> 0 order by 1`,
  barred: `select p.id from payouts p where p.state = 'ready' and exists (select from imported_transactions i where i.order_id = p.order_id
    and i.payout_id is null and i.status <> 'reverted' and i.purpose is distinct from 'withdraw') order by 1`,
  open: `select chain_id from lanes group by 1 having bool_and(state = 'open') order by 1`,
  places: `select a.id as address, p.account, ${HEX('a.order_id')} as order, p.chain_id as chain, p.found,
    coalesce((select json_agg(json_build_object('currency', b.currency, 'arrived', b.arrived::text, 'swept', b.swept::text, 'gone', b.gone::text) order by b.currency)
      from deposit_address_books b where b.address_id = a.id and b.chain_id = p.chain_id), '[]') as books
    from deposit_address_places p join deposit_addresses a on a.id = p.address_id order by a.id, p.chain_id`,
  arrivals: `select address_id as address, chain_id as chain, tx_id as tx, currency, amount::text as amount, state from deposit_arrivals order by id`,
  claims: `select ${HEX('id')} as id, wallet, amount::text as amount, chain_id as chain, currency, recipient, minimum::text as minimum,
    (chain_id, currency) = (balance_chain_id, balance_currency) as own, payout_id as payout from claims order by asked_at, id`,
  lostClaims: `select ${HEX('i.order_id')} as id, '0x' || encode(substring(i.order_id from 13), 'hex') as wallet, i.released_at is not null as released,
    coalesce(c.balance_chain_id, i.chain_id) as chain, coalesce(c.balance_currency, i.currency) as currency, coalesce(c.amount, i.amount)::text as amount
    from imported_transactions i left join claims c on c.id = i.order_id
    where i.payout_id is null and i.purpose = 'claim' and i.status <> 'reverted' order by i.chain_id, i.tx_id, i.part`,
  fastFills: `select ${HEX('f.request_id')} as request, ${HEX('f.order_id')} as order, f.state, f.payout_id as payout, f.deposit_id as deposit,
    f.collateral::text as collateral, coalesce(p.data::json -> 'fastFill' ->> 'amount', '0') as lent, f.amount::text as amount,
    f.origin_chain_id as origin, f.origin_currency as currency, f.destination_chain_id as chain, f.next_action as action,
    ${MS('f.next_action_at')} as at from fast_fills f left join payouts p on p.id = f.payout_id order by f.created_at, f.request_id`,
  origins: `select id as payout, ${HEX('request_id')} as request, ${HEX('order_id')} as order, chain_id as chain, state, currency,
      data::json #>> '{origin,permit,terms,owner}' as owner,
      exists (select from payout_attempts a where a.payout_id = payouts.id and a.reorgs > 0) as left
    from payouts where purpose = 'origin' order by id`,
  offBalances: `select holder || ' ' || account || ' ' || currency from (
      select holder, account, chain_id, currency, amount from app_balances
      union all select holder, account, chain_id, currency, amount * case account when 'exposure' then -1 else 1 end
      from ledger_entries where holder is not null and account <> 'integrator') a
    group by holder, account, chain_id, currency having sum(amount) <> 0 order by 1`,
  holds: `select chain_id as chain, currency, sum(amount)::text as amount, slot * 5000 as until from hold_slots where amount > 0
    group by 1, 2, 4 order by 1, 2, 4`,
}

const VALUES = new Set<keyof Rows>(['told', 'unbalanced', 'barred', 'open', 'offBalances'])

const SELECT = `select ${Object.entries(PARTS)
  // CAST: the names of the record above.
  .map(([name, sql]) => {
    const row = VALUES.has(name as keyof Rows) ? 'x.value' : 'x'
    return `(select coalesce(json_agg(${row}), '[]') from (${sql}) x${row === 'x' ? '' : '(value)'}) as "${name}"`
  })
  .join(', ')}`

/** Reads everything in one statement. */
export const readRows = async (query: Query): Promise<Rows> => {
  const [rows] = await query<Rows>(SELECT, [], 'simulation_rows')
  if (rows === undefined) throw new Error('A statement without conditions gives one row')
  return rows
}
