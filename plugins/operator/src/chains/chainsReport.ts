import { ServiceError } from '@causeway/core'
import { type BlockRef, type EndpointHealth, hasQuorum, trustedProviders } from '@causeway/core/chain'
import {
  type ChainHalt,
  findChainHalts,
  findProviderAlerts,
  neededProviders,
  type StoredProviderAlert,
} from '@causeway/core/money-path'
import { type Chain, pause } from '@causeway/core/plugin'
import type { OperatorDeps } from '../operatorDeps.js'
import type { Heads } from './heads.js'

export interface ChainsStatusDeps extends OperatorDeps {
  readonly heads: Heads
  /** Whether the adapters of this process have followed their chains for a while, so that what they know is the answer. */
  readonly isServing: boolean
}

export interface EndpointStatus {
  readonly name: string
  /** As configured; null where it is not: hosts of URLs are not shown, since some have a key in them. */
  readonly provider: string | null
  readonly state: EndpointHealth['state']
  /** Height of its newest block as last compared; null where it was not compared with others. */
  readonly head: string | null
  /** How far that is below the highest head of a trusted endpoint. */
  readonly behind: string | null
  readonly headAgeMs: number | null
  /** Why it is not `ok`. */
  readonly reason: string | null
}

export interface ChainStatus {
  readonly chainId: number
  readonly slug: string
  readonly name: string
  readonly vmType: string
  readonly enabled: boolean
  readonly reachable: boolean
  readonly why: string | null
  readonly head: { readonly height: string; readonly at: string; readonly ageSeconds: number } | null
  readonly endpoints: readonly EndpointStatus[]
  readonly quorum: { readonly trusted: number | null; readonly needed: number; readonly holds: boolean }
  /** How far deposits were read; null before the first page. */
  readonly watcher: {
    readonly height: string
    /** Blocks below the head. */
    readonly lagBlocks: string | null
    /** Since it last stored a page. */
    readonly ageSeconds: number
  } | null
  readonly halt: {
    readonly haltedAt: string
    readonly replaced: string
    readonly requests: number
    readonly payouts: number
  } | null
  readonly alerts: readonly {
    readonly kind: string
    readonly subject: string
    readonly details: string
    readonly firstSeen: string
    readonly count: number
  }[]
}

/** The answer of `causeway chains status --json`. */
export interface ChainsReport {
  readonly schemaVersion: 1
  readonly at: string
  readonly chains: readonly ChainStatus[]
}

const MOST_ALERTS = 500

interface Stored {
  readonly cursors: ReadonlyMap<number, { readonly height: bigint; readonly updatedAt: number }>
  readonly halts: readonly ChainHalt[]
  readonly alerts: readonly StoredProviderAlert[]
}

const readCursors = async ({ pool }: OperatorDeps): Promise<Stored['cursors']> => {
  const { rows } = await pool.query<{ chain_id: string; height: string; updated_at: Date }>(
    'select chain_id::text as chain_id, height::text as height, updated_at from chain_cursors',
  )
  return new Map(
    rows.map((row) => [Number(row.chain_id), { height: BigInt(row.height), updatedAt: row.updated_at.getTime() }]),
  )
}

/** What this process sees of every chain beside what is stored of it: three statements, and in a serving host no question to a node. */
export const readChains = async (deps: ChainsStatusDeps): Promise<ChainsReport> => {
  const [cursors, halts, alerts, seen] = await Promise.all([
    readCursors(deps),
    findChainHalts(deps.pool),
    findProviderAlerts(deps.pool, { limit: MOST_ALERTS }),
    Promise.all(deps.chains.all().map((chain) => lookAt(deps, chain))),
  ])
  const now = deps.clock.now()
  return {
    schemaVersion: 1,
    at: new Date(now).toISOString(),
    chains: seen.map((item) => chainStatus(item, { cursors, halts, alerts }, now)),
  }
}

interface Seen {
  readonly chain: Chain
  readonly head: BlockRef | null
  readonly endpoints: readonly EndpointHealth[]
  readonly quorum: ChainStatus['quorum']
  readonly why: string | null
}

const COMPARE_MS = 100
/** So often at most a command waits for endpoints to be compared. */
const MOST_WAITS = 30

const isCompared = ({ state, head }: EndpointHealth): boolean => head !== undefined || state !== 'ok'

/** A command asks once: its adapter has just started to compare the endpoints with each other. */
const awaitComparison = async ({ adapter }: Chain): Promise<void> => {
  for (let turn = 0; turn < MOST_WAITS; turn += 1) {
    const known = adapter.endpoints?.() ?? []
    // One alone is compared with nobody.
    if (known.length < 2 || known.every(isCompared)) return
    await pause(COMPARE_MS, new AbortController().signal)
  }
}

const lookAt = async (deps: ChainsStatusDeps, chain: Chain): Promise<Seen> => {
  const state = () => ({
    endpoints: chain.adapter.endpoints?.() ?? [],
    quorum: { trusted: trustedProviders(chain), needed: neededProviders(chain.config), holds: hasQuorum(chain) },
  })
  try {
    return await deps.withChain(chain, async () => {
      const head = await deps.heads.of(chain)
      if (!deps.isServing) await awaitComparison(chain)
      return { chain, head, ...state(), why: head === null ? 'No node of it shows a block.' : null }
    })
  } catch (error) {
    const why = ServiceError.is(error) ? error.message : 'No node of it could be asked.'
    return { chain, head: null, ...state(), why }
  }
}

const secondsSince = (then: number, now: number): number => Math.max(0, Math.floor((now - then) / 1000))

const chainStatus = ({ chain, head, endpoints, quorum, why }: Seen, stored: Stored, now: number): ChainStatus => {
  const { id: chainId, slug, name, enabled } = chain.config
  const halt = stored.halts.find((item) => item.chainId === chainId)
  return {
    ...{ chainId, slug, name, vmType: chain.adapter.vmType, enabled, reachable: head !== null, why },
    head:
      head === null
        ? null
        : {
            height: head.height.toString(),
            at: new Date(head.time * 1000).toISOString(),
            ageSeconds: secondsSince(head.time * 1000, now),
          },
    endpoints: endpointsOf(chain, endpoints),
    quorum,
    watcher: watcherOf(stored.cursors.get(chainId), head, now),
    halt:
      halt === undefined
        ? null
        : {
            haltedAt: new Date(halt.haltedAt).toISOString(),
            replaced: halt.replaced.toString(),
            requests: halt.requests,
            payouts: halt.payouts,
          },
    alerts: stored.alerts
      .filter((alert) => alert.chainId === chainId)
      .map(({ kind, subject, details, firstSeen, count }) => {
        return { kind, subject, details, firstSeen: new Date(firstSeen).toISOString(), count }
      }),
  }
}

const below = (highest: bigint, height: bigint): bigint => (height > highest ? 0n : highest - height)

const endpointsOf = ({ config }: Chain, endpoints: readonly EndpointHealth[]): readonly EndpointStatus[] => {
  const trusted = endpoints.flatMap(({ state, head }) =>
    state === 'distrusted' || head === undefined ? [] : [BigInt(head)],
  )
  const [highest = 0n] = [...trusted].sort((left, right) => (left > right ? -1 : 1))
  return endpoints.map(({ name, state, head, headAgeMs, reason }, at) => ({
    name,
    provider: config.rpc[at]?.provider ?? null,
    state,
    head: head ?? null,
    behind: head === undefined ? null : below(highest, BigInt(head)).toString(),
    headAgeMs: headAgeMs === null ? null : Math.round(headAgeMs),
    reason: reason ?? null,
  }))
}

const watcherOf = (
  cursor: { readonly height: bigint; readonly updatedAt: number } | undefined,
  head: BlockRef | null,
  now: number,
): ChainStatus['watcher'] => {
  if (cursor === undefined) return null
  const lag = head === null ? null : head.height - cursor.height
  return {
    height: cursor.height.toString(),
    lagBlocks: lag === null ? null : (lag < 0n ? 0n : lag).toString(),
    ageSeconds: secondsSince(cursor.updatedAt, now),
  }
}
