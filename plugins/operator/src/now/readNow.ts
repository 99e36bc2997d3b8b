import { type ClosedLane, closedLaneText } from './closedLane.js'
import type { Flow, Minute } from './flow.js'
import { type Obstacle, type ObstaclesDeps, readObstacles } from './obstacles.js'

/** A next action that is late. */
export interface Stuck {
  readonly kind: 'request' | 'payout'
  /** What `causeway explain` takes. */
  readonly id: string
  readonly chainId: number
  readonly action: string
  readonly dueAt: string
  readonly lateSeconds: number
  /** What stands in its way; null: nothing that was noted. */
  readonly why: string | null
}

/** The answer of `causeway now --json`. */
export interface NowReport {
  readonly schemaVersion: 1
  readonly at: string
  /** Why transfers of whole chains wait; empty when every chain is served. */
  readonly obstacles: readonly Obstacle[]
  /** Sixty, oldest first; the last one is not over. */
  readonly minutes: readonly Minute[]
  readonly hour: {
    readonly begun: number
    readonly succeeded: number
    readonly refunded: number
    readonly failed: number
    readonly usd: string
    /** Of what ended, basis points that succeeded; null where nothing ended. */
    readonly successBps: number | null
    /** From when a deposit was seen to when its fill had succeeded, of the newest 5,000 fills within the hour; null without any. */
    readonly fillMs: { readonly p50: number; readonly p99: number; readonly count: number } | null
  }
  /** Requests that are not over. */
  readonly open: number
  /** Oldest first, at most 50. */
  readonly stuck: readonly Stuck[]
  /** How many are late in all. */
  readonly stuckCount: number
}

const HOUR_MS = 3_600_000
/** How late a next action may be before it counts as stuck. */
const GRACE_MS = 60_000
const MOST_STUCK = 50
/** How many fills are timed, the newest of the hour. */
const MOST_FILLS = 5_000

const FILLS = `with newest as materialized (
    select id, updated_at from requests where updated_at >= to_timestamp($1 / 1000.0) and status = 'success'
    order by updated_at desc, seq desc limit ${MOST_FILLS}
  )
  select count(*)::int as count, percentile_disc(array[0.5, 0.99]) within group (order by ms)::int[] as at
  from (
    select greatest(0, round(extract(epoch from n.updated_at - d.created_at) * 1000)) as ms
    from newest n join deposits d on d.request_id = n.id and d.outcome = 'fill'
  ) fills`

const STUCK = `select kind, id, chain_id::text as chain_id, action, due, why, lane, count(*) over ()::int as total from (
    select 'request' as kind, '0x' || encode(id, 'hex') as id, destination_chain_id as chain_id, next_action as action,
      next_action_at as due, trouble as why, null as lane
    from requests where next_action is not null and next_action_at < to_timestamp($1 / 1000.0)
    union all
    select 'payout', 'payout:' || p.id, p.chain_id, p.next_action, p.next_action_at, p.trouble,
      case when l.state <> 'open' then json_build_object('signer', l.signer, 'state', l.state, 'reason', l.reason) end
    from payouts p left join lanes l on l.chain_id = p.chain_id and l.signer = p.signer
    where p.next_action is not null and p.next_action_at < to_timestamp($1 / 1000.0)
  ) late order by due, id limit ${MOST_STUCK}`

const OPEN = 'select count(*)::int as count from requests where next_action is not null'

interface StuckRow {
  readonly kind: Stuck['kind']
  readonly id: string
  readonly chain_id: string
  readonly action: string
  readonly due: Date
  readonly why: string | null
  /** Of a payout, its lane where that is closed. */
  readonly lane: Omit<ClosedLane, 'chain'> | null
  readonly total: number
}

/** Reads the transfers in progress and those that wait, with seven statements. */
export const readNow = async (deps: ObstaclesDeps, flow: Flow, now: number): Promise<NowReport> => {
  const { pool, chains } = deps
  const chainName = (id: number) => chains.find(id)?.config.slug ?? String(id)
  const [{ obstacles, lanes }, minutes, fills, stuck, open] = await Promise.all([
    readObstacles(deps, now),
    flow.read(now),
    pool.query<{ count: number; at: readonly number[] | null }>(FILLS, [now - HOUR_MS]),
    pool.query<StuckRow>(STUCK, [now - GRACE_MS]),
    pool.query<{ count: number }>(OPEN),
  ])
  return {
    schemaVersion: 1,
    at: new Date(now).toISOString(),
    obstacles,
    minutes,
    hour: { ...sumOf(minutes), fillMs: fillMsOf(fills.rows[0]) },
    open: open.rows[0]?.count ?? 0,
    stuck: stuck.rows.map((row) => {
      const chainId = Number(row.chain_id)
      const lane = row.kind === 'request' ? lanes.get(chainId) : row.lane && { chain: chainName(chainId), ...row.lane }
      return toStuck(row, lane ?? null, now)
    }),
    stuckCount: stuck.rows[0]?.total ?? 0,
  }
}

const centsOf = (usd: string): bigint => BigInt(usd.replace('.', ''))
const usdOf = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

const sumOf = (minutes: readonly Minute[]) => {
  const sum = (name: 'begun' | 'succeeded' | 'refunded' | 'failed') =>
    minutes.reduce((total, minute) => total + minute[name], 0)
  const [begun, succeeded, refunded, failed] = [sum('begun'), sum('succeeded'), sum('refunded'), sum('failed')]
  const ended = succeeded + refunded + failed
  const usd = usdOf(minutes.reduce((total, minute) => total + centsOf(minute.usd), 0n))
  const successBps = ended === 0 ? null : Math.floor((succeeded * 10_000) / ended)
  return { begun, succeeded, refunded, failed, usd, successBps }
}

const fillMsOf = (
  row: { readonly count: number; readonly at: readonly number[] | null } | undefined,
): NowReport['hour']['fillMs'] => {
  const [p50, p99] = row?.at ?? []
  return row === undefined || p50 === undefined || p99 === undefined ? null : { p50, p99, count: row.count }
}

const toStuck = ({ kind, id, chain_id, action, due, why }: StuckRow, lane: ClosedLane | null, now: number): Stuck => ({
  kind,
  id,
  chainId: Number(chain_id),
  action,
  dueAt: due.toISOString(),
  lateSeconds: Math.max(0, Math.floor((now - due.getTime()) / 1000)),
  why: why ?? (lane === null ? null : closedLaneText(lane)),
})
