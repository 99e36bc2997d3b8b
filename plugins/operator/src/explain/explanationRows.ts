import type { Hex } from '@causeway/core'
import {
  firstFailReasonOf,
  type PayoutEarnings,
  type PayoutSponsorship,
  paidOtherwiseBy,
} from '@causeway/core/money-path'
import type { Pool } from 'pg'
import type { ClosedLane } from '../now/closedLane.js'

/** A time as Unix milliseconds. */
const ms = (column: string, name = column): string => `(extract(epoch from ${column}) * 1000)::float8 as ${name}`

export interface RequestRow {
  id: Hex
  terms: string
  status: string
  fail_reason: string | null
  /** Why it was not paid, where an operator sent its money back and that took the place of the reason. */
  first_fail_reason: string | null
  refund_fail_reason: string | null
  details: string | null
  parent: Hex | null
  superseded_by: Hex | null
  integrator_id: string | null
  referrer: string | null
  refund_reason: string | null
  created_at: number
  updated_at: number
  next_action: string | null
  next_action_at: number | null
  attempts: number
  /** What fails each time it is tried. */
  trouble: string | null
  destination_chain_id: string
  destination_currency: string
  amount_out: string
  committed: boolean
  /** Free inventory of the destination, null when never read. */
  spendable: string | null
  /** Hash of the user's transfer into the address that it came by. */
  transfer_tx: string | null
  /** Number of the address that it came by; null where the user deposited. */
  address_id: string | null
}

export interface DepositRow {
  id: string
  request_id: Hex | null
  chain_id: string
  tx_id: string
  position: number
  state: string
  order_id: Hex | null
  depositor: string
  currency: string
  amount: string
  block_height: string | null
  block_hash: string | null
  block_time: number | null
  depth: string | null
  created_at: number
  parked_reason: string | null
  outcome: string | null
  outcome_reason: string | null
  outcome_at: number | null
  withdrawn_at: number | null
  reorg: string | null
}

export interface PayoutRow {
  id: string
  request_id: Hex | null
  deposit_id: string | null
  purpose: string
  cause: string
  state: string
  chain_id: string
  currency: string
  amount: string
  fees: string
  fees_chain_id: string
  fees_currency: string
  recipient: string
  signer: string
  created_at: number
  included_at: number | null
  included_height: string | null
  inclusions: number
  retries: number
  trouble: string | null
  fail_reason: string | null
  details: string | null
  /** As `PayoutData.notRun`. */
  not_run: string | null
  next_action: string | null
  next_action_at: number | null
  /** Of a fill by which wallets earn: whether that is settled. */
  earning: 'open' | 'settled' | null
  earnings: PayoutEarnings | null
  sponsorship: PayoutSponsorship | null
  /** Of a lane that pays nothing. */
  shut: Pick<ClosedLane, 'state' | 'reason'> | null
  /** The transaction of a forgotten time that it may be itself, and for which it is not signed. */
  held_by: string | null
  generations: { generation: number; state: string; proof: string | null; guards: string[] }[]
  attempts: {
    generation: number
    version: number
    kind: string
    tx_id: string
    state: string
    message: string | null
    created_ms: number
    broadcast_ms: number | null
    height: string | null
    hash: string | null
    fee: string | null
  }[]
}

export interface EventRow {
  request_id: Hex
  version: number
  status: string
  payload: string
  created_at: number
}

export interface LedgerRow {
  id: string
  cause: string
  event: string
  posted_at: number
  entries: { account: string; holder: string | null; chainId: number; currency: string; amount: string }[]
}

export interface RelativeRow {
  id: Hex
  parent: Hex | null
  status: string
  fail_reason: string | null
}

export interface AuditRow {
  at: number
  actor: string
  action: string
  subject: string
  details: { readonly [key: string]: unknown }
}

/** Every row that explanations need, each table once however many requests there are. */
export interface ExplanationRows {
  readonly requests: readonly RequestRow[]
  readonly deposits: readonly DepositRow[]
  readonly payouts: readonly PayoutRow[]
  readonly events: readonly EventRow[]
  readonly ledger: readonly LedgerRow[]
  readonly relatives: readonly RelativeRow[]
  readonly audit: readonly AuditRow[]
}

const hex = (column: string, name: string): string => `'0x' || encode(${column}, 'hex') as ${name}`

const REQUESTS = `select ${hex('id', 'id')}, terms, status, fail_reason, refund_fail_reason, details, ${hex('parent_request_id', 'parent')},
    ${firstFailReasonOf('requests')} as first_fail_reason,
    ${hex('superseded_by', 'superseded_by')}, integrator_id, referrer, refund_reason, ${ms('created_at')}, ${ms('updated_at')}, next_action,
    ${ms('next_action_at')}, attempts, trouble, destination_chain_id::text as destination_chain_id, destination_currency,
    amount_out::text as amount_out, committed, spendable(destination_chain_id, destination_currency)::text as spendable, transfer_tx,
    (select a.id::text from deposit_addresses a where a.request_id = coalesce(requests.parent_request_id, requests.id)) as address_id
  from requests where id = any($1) order by seq desc`

const DEPOSITS = `select d.id::text as id, ${hex('d.request_id', 'request_id')}, d.chain_id::text as chain_id, d.tx_id, d.position, d.state,
    ${hex('d.order_id', 'order_id')}, d.depositor, d.currency, d.amount::text as amount, d.block_height::text as block_height, d.block_hash,
    ${ms('d.block_time', 'block_time')}, (greatest(c.tip - d.block_height, 0) + 1)::text as depth, ${ms('d.created_at', 'created_at')},
    d.parked_reason, d.outcome, d.outcome_reason, ${ms('d.outcome_at', 'outcome_at')}, ${ms('d.withdrawn_at', 'withdrawn_at')}, d.reorg
  from deposits d left join chain_cursors c on c.chain_id = d.chain_id
  where d.request_id = any($1) or d.id = any($2) order by d.id`

const PAYOUTS = `select p.id::text as id, ${hex('p.request_id', 'request_id')}, p.deposit_id::text as deposit_id, p.purpose, p.cause, p.state,
    p.chain_id::text as chain_id, p.currency, p.amount::text as amount, p.fees::text as fees,
    coalesce(d.chain_id, p.chain_id)::text as fees_chain_id, coalesce(d.currency, p.currency) as fees_currency, p.recipient, p.signer,
    ${ms('p.created_at', 'created_at')}, ${ms('p.included_at', 'included_at')}, p.included_height::text as included_height, p.inclusions,
    p.attempts as retries, p.fail_reason, p.details, p.trouble, p.earning,
    nullif(p.data, '')::jsonb -> 'earnings' as earnings, nullif(p.data, '')::jsonb -> 'sponsorship' as sponsorship, nullif(p.data, '')::jsonb ->> 'notRun' as not_run,
    p.next_action, ${ms('p.next_action_at', 'next_action_at')},
    case when l.state <> 'open' then json_build_object('state', l.state, 'reason', l.reason) end as shut,
    case when p.state = 'ready' then ${paidOtherwiseBy('p')} end as held_by,
    coalesce((select json_agg(json_build_object('generation', g.generation, 'state', g.state, 'proof', g.proof, 'guards',
        coalesce((select json_agg(u.guard_key order by u.guard_key) from payout_guards u
          where u.payout_id = g.payout_id and u.generation = g.generation), '[]')) order by g.generation)
      from payout_generations g where g.payout_id = p.id), '[]') as generations,
    coalesce((select json_agg(json_build_object('generation', a.generation, 'version', a.version, 'kind', a.kind, 'tx_id', a.tx_id,
        'state', a.state, 'message', a.message, 'created_ms', extract(epoch from a.created_at) * 1000,
        'broadcast_ms', extract(epoch from a.broadcast_at) * 1000, 'height', a.block_height::text, 'hash', a.block_hash,
        'fee', a.fee::text) order by a.generation, a.version)
      from payout_attempts a where a.payout_id = p.id), '[]') as attempts
  from payouts p left join deposits d on d.id = p.deposit_id left join lanes l on l.chain_id = p.chain_id and l.signer = p.signer
  where p.request_id = any($1) or p.deposit_id = any($2) order by p.id`

const EVENTS = `select ${hex('request_id', 'request_id')}, version, status, payload, ${ms('created_at')} from request_events
  where request_id = any($1) order by request_id, version`

const LEDGER = `select t.id::text as id, t.cause, t.event, ${ms('t.posted_at', 'posted_at')},
    coalesce((select json_agg(json_build_object('account', e.account, 'holder', e.holder, 'chainId', e.chain_id, 'currency', e.currency, 'amount', e.amount::text))
      from ledger_entries e where e.transaction_id = t.id), '[]') as entries
  from ledger_transactions t where t.cause = any($1) order by t.id`

const RELATIVES = `select ${hex('id', 'id')}, ${hex('parent_request_id', 'parent')}, status, fail_reason from requests
  where parent_request_id = any($1) or id = any($2) order by seq limit 200`

const AUDIT = `select ${ms('at')}, actor, action, subject, details from operator_audit where subject = any($1) order by id limit 200`

const bytes = (ids: readonly Hex[]): Buffer[] => ids.map((id) => Buffer.from(id.slice(2), 'hex'))

/** Reads the rows of requests and of deposits without one: seven statements, whatever their number. */
export const readExplanationRows = async (
  pool: Pool,
  requestIds: readonly Hex[],
  depositIds: readonly string[],
): Promise<ExplanationRows> => {
  const owners = bytes(requestIds)
  const [requests, deposits, events] = await Promise.all([
    pool.query<RequestRow>(REQUESTS, [owners]),
    pool.query<DepositRow>(DEPOSITS, [owners, depositIds]),
    pool.query<EventRow>(EVENTS, [owners]),
  ])
  const payouts = await pool.query<PayoutRow>(PAYOUTS, [owners, deposits.rows.map(({ id }) => id)])
  const parents = requests.rows.flatMap(({ parent }) => (parent === null ? [] : [parent]))
  const [ledger, relatives, audit] = await Promise.all([
    pool.query<LedgerRow>(LEDGER, [causesOf(requestIds, deposits.rows, payouts.rows)]),
    pool.query<RelativeRow>(RELATIVES, [owners, bytes(parents)]),
    pool.query<AuditRow>(AUDIT, [subjectsOf(requests.rows, deposits.rows, payouts.rows)]),
  ])
  return {
    requests: requests.rows,
    deposits: deposits.rows,
    payouts: payouts.rows,
    events: events.rows,
    ledger: ledger.rows,
    relatives: relatives.rows,
    audit: audit.rows,
  }
}

/** Causes under which the ledger may know these requests, deposits and payouts. */
export const causesOf = (
  requestIds: readonly Hex[],
  deposits: readonly DepositRow[],
  payouts: readonly PayoutRow[],
): string[] => [
  ...requestIds.map((id) => `request:${id}`),
  ...deposits.map(({ id }) => `deposit:${id}`),
  ...payouts.map(({ id }) => `payout:${id}`),
  ...payouts.flatMap(({ chain_id, attempts }) => attempts.map(({ tx_id }) => `gas:${chain_id}:${tx_id}`)),
]

/** Names under which the audit may know them. */
export const subjectsOf = (
  requests: readonly RequestRow[],
  deposits: readonly DepositRow[],
  payouts: readonly PayoutRow[],
): string[] => [
  ...requests.map(({ id }) => `request ${id}`),
  ...deposits.map(({ id }) => `deposit ${id}`),
  ...payouts.map(({ id }) => `payout ${id}`),
  ...new Set(payouts.map(({ chain_id, signer }) => `lane ${chain_id} ${signer}`)),
]
