import { findProviderAlerts } from '@causeway/core/money-path'
import {
  type ChainRegistry,
  type DatabasePool,
  readService,
  type ServiceState,
  UNATTENDED_MS,
} from '@causeway/core/plugin'
import { span } from '../text/timeText.js'
import { type ClosedLane, closedLaneOf, closedLaneText } from './closedLane.js'

/** Why transfers of a chain wait, whatever the single request says. */
export interface Obstacle {
  readonly kind: 'lane' | 'halt' | 'role' | 'chain'
  readonly chainId: number
  readonly chain: string
  /** Of the lane; null of other kinds. */
  readonly signer: string | null
  readonly text: string
}

export interface ObstaclesDeps {
  readonly pool: DatabasePool
  readonly chains: ChainRegistry
}

const MOST_ALERTS = 500
/** A watcher that stored nothing for so long reads a chain that stands, or whose nodes do not answer. */
const STUCK_SECONDS = 600
/** Where blocks come by chance, one may take many times as long as usual. */
const LATE_AFTER_INTERVALS = 12

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Obstacles of every chain, and the closed lane of each, by three statements. */
export const readObstacles = async (
  { pool, chains }: ObstaclesDeps,
  now: number,
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly lanes: ReadonlyMap<number, ClosedLane> }> => {
  const [states, alerts, cursors] = await Promise.all([
    readService(pool, chains),
    findProviderAlerts(pool, { limit: MOST_ALERTS }),
    pool.query<{ chain_id: string; updated_at: Date }>(
      'select chain_id::text as chain_id, updated_at from chain_cursors',
    ),
  ])
  const chainName = (id: number) => chains.find(id)?.config.slug ?? String(id)
  const lanes = new Map(
    states.flatMap((state) => {
      const lane = closedLaneOf(state, chainName)
      return lane === null ? [] : [[state.chainId, lane] as const]
    }),
  )
  const quorumLost = new Set(alerts.flatMap(({ kind, chainId }) => (kind === 'quorum-lost' ? [chainId] : [])))
  const readAt = new Map(cursors.rows.map((row) => [Number(row.chain_id), row.updated_at.getTime()]))
  const obstacles = states.flatMap((state): readonly Obstacle[] => {
    const { chainId } = state
    const chain = chainName(chainId)
    const make = (kind: Obstacle['kind'], text: string, signer: string | null = null): Obstacle => {
      return { kind, chainId, chain, signer, text }
    }
    const lane = lanes.get(chainId)
    return [
      ...(lane === undefined ? [] : [make('lane', `${capital(closedLaneText(lane))}.`, lane.signer)]),
      ...(state.halted
        ? [make('halt', `${chain} is halted: blocks that were final were replaced. "causeway halts" shows what waits.`)]
        : []),
      ...missingRoles(state).map((text) => make('role', `${chain}: ${text}`)),
      ...(quorumLost.has(chainId)
        ? [make('chain', `${chain}: too few providers can be believed. "causeway chains status" names them.`)]
        : []),
      ...stuck(chains, chainId, now - (readAt.get(chainId) ?? now)).map((text) => make('chain', `${chain}: ${text}`)),
    ]
  })
  return { obstacles, lanes }
}

const missingRoles = ({ watcherGoneMs, solverGoneMs }: ServiceState): readonly string[] =>
  [
    { role: 'watcher', work: 'read deposits', gone: watcherGoneMs },
    { role: 'solver', work: 'made payouts', gone: solverGoneMs },
  ].flatMap(({ role, work, gone }) => {
    if (gone !== null && gone <= UNATTENDED_MS) return []
    const since = gone === null ? `no host has ever ${work}` : `no host has ${work} for ${span(Math.floor(gone))}`
    return [`${since}. Start one: "causeway start --role ${role}".`]
  })

const stuck = (chains: ChainRegistry, chainId: number, ageMs: number): readonly string[] => {
  const usual = (chains.find(chainId)?.adapter.capabilities.headIntervalSeconds ?? 0) * LATE_AFTER_INTERVALS
  if (ageMs <= Math.max(STUCK_SECONDS, usual) * 1000) return []
  return [`no new block was read for ${span(ageMs)}. "causeway chains status" shows its nodes.`]
}
