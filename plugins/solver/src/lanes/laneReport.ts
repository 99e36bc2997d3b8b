import type { Clock, CurrencyRegistry, Hex } from '@causeway/core'
import { HOLDS_BACK_SQL, KEEPS_SHUT_SQL, MAY_PAY_FOR_SQL, SPENDING_WINDOW_MS } from '@causeway/core/money-path'
import { type ChainRegistry, type Keys, storedAddress } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { spendLimitsOf } from '../limits/spendLimits.js'
import { configuredLanes } from './configuredLanes.js'

export interface LaneReportDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly currencies: CurrencyRegistry
  readonly keys: Keys
  readonly clock: Clock
}

/**
 * `open`: pays. `limited`: open, and payouts wait for the hourly limit. `settling`: the database failed over, and what it lost may still
 * land; opens by itself. `quarantined`: pays nothing before an operator has looked. `no-key`: no process works it, and this one does not
 * hold its key, as no operator's command does; or its key was the chain's payout key before. `unused`: its key is here, it never opened.
 */
export type LaneState = 'open' | 'limited' | 'settling' | 'quarantined' | 'no-key' | 'unused'

/** A transaction of the lane's key that is no payout this database knows, and pays an order. */
export interface UnmatchedTransaction {
  readonly txId: string
  readonly orderId: Hex
  /** Null where the chain does not show it: then a fill or a refund. */
  readonly purpose: string | null
  readonly recipient: string
  readonly currency: string
  readonly amount: bigint
  readonly status: string
  readonly blockHeight: bigint | null
  /** Unix milliseconds when it was found. */
  readonly foundAt: number
  /** It keeps the lane shut: its order is unknown, and nobody released it. */
  readonly shuts: boolean
  /** Numbers of the deposits that it may have paid for, as far as they are known: they carry its order, or an address took them for its recipient. */
  readonly deposits: readonly string[]
}

/** One currency of a lane with what left in the last hour; `limit` null: no limit. Smallest units. */
export interface LaneSpending {
  readonly currency: string
  readonly spent: bigint
  readonly limit: bigint | null
}

/** What an operator sees of a signing lane. */
export interface LaneReport {
  readonly chainId: number
  readonly chain: string
  readonly signer: string
  readonly state: LaneState
  readonly reason: string | null
  /** Next nonce, or the chain's own description of where the lane goes on. */
  readonly position: string | null
  /** Where the chain stands as it was read, in the chain's own form. */
  readonly storedPosition: string | null
  /** Block up to which its journal goes. */
  readonly height: bigint | null
  readonly liveAttempts: number
  /** Payouts in a block that is not final yet. */
  readonly notFinal: number
  /** The chain pays with another key now. */
  readonly former: boolean
  /** The configuration names it in `formerSolvers`, for a backup that does not know it. */
  readonly named: boolean
  readonly waitingForLimit: number
  /** Unix milliseconds of the oldest payout that is not on its chain yet. */
  readonly oldestUnpaidAt: number | null
  readonly spending: readonly LaneSpending[]
  readonly unmatched: readonly UnmatchedTransaction[]
}

interface LaneRow {
  chain_id: string
  signer: string
  state: 'open' | 'settling' | 'quarantined' | null
  reason: string | null
  position: string | null
  height: string | null
  held: boolean
  live: number
  not_final: number
  limited: number
  oldest: Date | null
  spending: { currency: string; spent: string }[]
  unmatched: {
    tx_id: string
    order_id: string
    purpose: string | null
    recipient: string
    currency: string
    amount: string
    status: string
    height: string | null
    found_ms: number
    shuts: boolean
    deposits: string[]
  }[]
}

/** Unmatched transactions listed per lane; the count in the lane's reason is exact. */
const LISTED = 200

/** Every lane of the configuration ($1) and of the database, in one statement. */
const LANES = `with named as (
    select (c->>'chainId')::bigint as chain_id, c->>'signer' as signer from jsonb_array_elements($1::jsonb) c
    union select chain_id, signer from lanes
    union select chain_id, signer from payouts where state in ('ready', 'signed', 'included')
  ), work as (
    select chain_id, signer, count(*) filter (where state = 'signed')::int as live,
      count(*) filter (where state = 'included')::int as not_final,
      count(*) filter (where state = 'ready' and next_action = 'await-limit')::int as limited,
      min(created_at) filter (where state in ('ready', 'signed')) as oldest
    from payouts where state in ('ready', 'signed', 'included') group by chain_id, signer
  ), spent as (
    select chain_id, signer, json_agg(json_build_object('currency', currency, 'spent', amount::text) order by currency) as spending
    from (select chain_id, signer, currency, sum(amount) as amount from lane_spending
      where minute > to_timestamp($2 / 1000.0) group by chain_id, signer, currency) s group by chain_id, signer
  ), foreign_ones as (
    select i.*, ${KEEPS_SHUT_SQL} as shuts,
      (select coalesce(json_agg(f.id::text order by f.id), '[]') from (${MAY_PAY_FOR_SQL}) f) as deposits,
      row_number() over (partition by chain_id, signer order by block_height nulls last, tx_id) as place
    from imported_transactions i where ${KEEPS_SHUT_SQL} or ${HOLDS_BACK_SQL}
  ), unmatched as (
    select chain_id, signer, json_agg(json_build_object('tx_id', tx_id, 'order_id', encode(order_id, 'hex'), 'purpose', purpose,
      'recipient', recipient, 'currency', currency, 'amount', amount::text, 'status', status, 'height', block_height::text,
      'found_ms', (extract(epoch from created_at) * 1000)::bigint, 'shuts', shuts, 'deposits', deposits) order by place) as list
    from foreign_ones where place <= ${LISTED} group by chain_id, signer
  )
  select n.chain_id::text as chain_id, n.signer, l.state, l.reason, coalesce(l.seen_position, l.position) as position,
    l.height::text as height, coalesce(w.live, 0) as live, coalesce(w.not_final, 0) as not_final, coalesce(w.limited, 0) as limited, w.oldest,
    coalesce(s.spending, '[]') as spending, coalesce(u.list, '[]') as unmatched,
    exists (select 1 from leases where name = 'lane:' || n.chain_id || ':' || n.signer and holder is not null
      and expires_at > clock_timestamp()) as held
  from named n left join lanes l using (chain_id, signer) left join work w using (chain_id, signer)
    left join spent s using (chain_id, signer) left join unmatched u using (chain_id, signer)
  order by n.chain_id, n.signer`

/** Every signing lane this deployment has or had. */
export const readLaneReports = async (deps: LaneReportDeps): Promise<readonly LaneReport[]> => {
  const { pool, chains, clock } = deps
  const { rows } = await pool.query<LaneRow>({
    name: 'lane_reports',
    text: LANES,
    values: [JSON.stringify(configuredLanes(chains)), clock.now() - SPENDING_WINDOW_MS],
  })
  return rows.map((row) => toReport(row, deps))
}

const toReport = (row: LaneRow, deps: LaneReportDeps): LaneReport => {
  const chainId = Number(row.chain_id)
  return {
    chainId,
    chain: deps.chains.find(chainId)?.config.slug ?? row.chain_id,
    signer: row.signer,
    state: stateOf(row, deps),
    reason: row.reason,
    storedPosition: row.position,
    position: row.position === null ? null : positionText(row.position),
    height: row.height === null ? null : BigInt(row.height),
    liveAttempts: row.live,
    notFinal: row.not_final,
    former: isFormer(row, deps),
    named: isNamed(row, deps),
    waitingForLimit: row.limited,
    oldestUnpaidAt: row.oldest?.getTime() ?? null,
    spending: spendingOf(row, deps),
    unmatched: row.unmatched.map((item) => ({
      txId: item.tx_id,
      orderId: `0x${item.order_id}`,
      purpose: item.purpose,
      recipient: item.recipient,
      currency: item.currency,
      amount: BigInt(item.amount),
      status: item.status,
      blockHeight: item.height === null ? null : BigInt(item.height),
      foundAt: item.found_ms,
      shuts: item.shuts,
      deposits: item.deposits,
    })),
  }
}

const isFormer = (row: LaneRow, { chains }: LaneReportDeps): boolean => {
  const solver = chains.find(Number(row.chain_id))?.config.solver ?? ''
  return solver !== '' && storedAddress(solver) !== row.signer
}

const isNamed = (row: LaneRow, { chains }: LaneReportDeps): boolean =>
  (chains.find(Number(row.chain_id))?.config.formerSolvers ?? []).some((item) => storedAddress(item) === row.signer)

const stateOf = (row: LaneRow, deps: LaneReportDeps): LaneState => {
  const { chains, keys } = deps
  if (row.state === 'quarantined') return 'quarantined'
  if (isFormer(row, deps)) return 'no-key'
  const config = chains.find(Number(row.chain_id))?.config
  const ours = config !== undefined && storedAddress(config.solver) === row.signer && keys.has(`payout.${config.id}`)
  if (!row.held && !ours) return 'no-key'
  if (row.state === null) return 'unused'
  if (row.state === 'settling') return 'settling'
  return row.limited > 0 ? 'limited' : 'open'
}

/** The nonce where the position is one, as on EVM chains. */
const positionText = (stored: string): string => {
  const position: unknown = JSON.parse(stored)
  const nonce = typeof position === 'object' && position !== null ? Reflect.get(position, 'nonce') : undefined
  return nonce === undefined ? stored : String(nonce)
}

/** Currencies with a limit, and those that left without one. */
const spendingOf = (row: LaneRow, { chains, currencies }: LaneReportDeps): LaneSpending[] => {
  const chain = chains.find(Number(row.chain_id))
  const limits = chain === undefined ? [] : spendLimitsOf(chain, currencies)
  const limited = limits.map(({ currency, amount }) => ({
    currency,
    spent: BigInt(row.spending.find((item) => item.currency === currency)?.spent ?? '0'),
    limit: amount,
  }))
  const others = row.spending.filter(({ currency }) => !limits.some((limit) => limit.currency === currency))
  return [...limited, ...others.map(({ currency, spent }) => ({ currency, spent: BigInt(spent), limit: null }))]
}
