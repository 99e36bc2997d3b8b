import { setTimeout as wait } from 'node:timers/promises'
import type { Hex } from '@causeway/core'
import { changeStatuses, fromBytea, LeaseKeeper, withTransaction } from '@causeway/core/plugin'
import { RecordProjection } from '@causeway/plugin-requests-v3'
import type { Pool } from 'pg'
import { SEEDED_TEXTS } from '../../seed/seedRequests.js'
import { percentile } from '../rounds.js'

const PER_SECOND = 200
const TICK_MS = 50
const LOOK_MS = 10
/** Those of the plugin, when nothing is configured. */
const SETTINGS = { projectionMs: 150, projectionBatch: 200 }
const NEXT = { action: 'await-payout', at: Date.UTC(2200, 0) }
const GIVE_UP_MS = 30_000

/**
 * Milliseconds from a status change to its record stored anew, while the projection runs and so many requests a second go
 * from pending to submitted and back.
 */
export const projectionLag = async (pool: Pool, seconds: number): Promise<Readonly<Record<string, number>>> => {
  const stop = new AbortController()
  const projection = new RecordProjection({
    pool,
    leases: new LeaseKeeper({ pool }),
    texts: SEEDED_TEXTS,
    settings: SETTINGS,
  })
  const running = projection.run(stop.signal)
  const changedAt = new Map<Hex, number>()
  const lags: number[] = []
  const watching = watch(pool, changedAt, lags, stop.signal)
  try {
    const { changes, milliseconds } = await changeMany(pool, seconds, changedAt)
    const until = performance.now() + GIVE_UP_MS
    while (changedAt.size > 0 && performance.now() < until) await wait(LOOK_MS)
    const sorted = lags.sort((left, right) => left - right)
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), perSecond: (changes * 1_000) / milliseconds }
  } finally {
    stop.abort()
    await Promise.all([running, watching])
  }
}

const changeMany = async (pool: Pool, seconds: number, changedAt: Map<Hex, number>) => {
  const { rows } = await pool.query<{ id: Buffer; status: string }>(
    `select id, status from requests where status in ('pending', 'submitted') order by created_at desc, seq desc limit 1000`,
  )
  const submitted = new Map(rows.map(({ id, status }) => [fromBytea(id), status === 'submitted']))
  const ids = [...submitted.keys()]
  const change = async (id: Hex | undefined): Promise<void> => {
    if (id === undefined) throw new Error('There are no unfinished requests')
    const to = submitted.get(id) === true ? 'pending' : 'submitted'
    submitted.set(id, to === 'submitted')
    await withTransaction(pool, (client) => changeStatuses(client, [{ requestId: id, to, next: NEXT }], Date.now()))
    if (!changedAt.has(id)) changedAt.set(id, performance.now())
  }
  const startedAt = performance.now()
  let changes = 0
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * PER_SECOND) - changes
    const chosen = Array.from({ length: Math.min(due, ids.length) }, (_, one) => ids[(changes + one) % ids.length])
    // One transaction each, as payments settle one by one.
    await Promise.all(chosen.map((id) => change(id)))
    changes += chosen.length
    await wait(TICK_MS)
  }
  return { changes, milliseconds: performance.now() - startedAt }
}

/** Notes when nothing of a change waits any more; a request that changes again meanwhile counts from its first change. */
const watch = async (pool: Pool, changedAt: Map<Hex, number>, lags: number[], signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const before = performance.now()
    const { rows } = await pool.query<{ request_id: Buffer }>('select distinct request_id from request_touches')
    const waiting = new Set(rows.map(({ request_id }) => fromBytea(request_id)))
    for (const [id, at] of changedAt) {
      if (at > before || waiting.has(id)) continue
      lags.push(performance.now() - at)
      changedAt.delete(id)
    }
    await wait(LOOK_MS)
  }
}
