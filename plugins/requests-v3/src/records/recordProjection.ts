import {
  type DatabasePool,
  fromBytea,
  type Lease,
  type LeaseKeeper,
  type MetricSource,
  pause,
  withLease,
} from '@causeway/core/plugin'
import type { RecordTexts } from './recordTexts.js'

export interface ProjectionDeps {
  readonly pool: DatabasePool
  readonly leases: LeaseKeeper
  readonly texts: RecordTexts
  readonly settings: { readonly projectionMs: number; readonly projectionBatch: number }
}

type Client = Parameters<Parameters<typeof withLease>[2]>[0]

const LEASE = 'records'
/** Texts of another form that are written anew in one go, when nothing else is to be done. */
const REFORM = 50

/**
 * Writes the texts of finished requests, on one host at a time. A touch is deleted in the transaction that stores the new text, and the
 * facts are read after the deletion: a later change leaves a touch of its own. An unfinished request changes several times within
 * seconds, so pages build its record; a text that it already has is kept up to date.
 */
export class RecordProjection {
  readonly #deps: ProjectionDeps
  /** Since when something waits; null: nothing does, or another host does the work. */
  #behindSince: number | null = null
  #holding = false

  constructor(deps: ProjectionDeps) {
    this.#deps = deps
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#deps.leases.run(LEASE, signal, (lease) => this.#work(lease))
  }

  /** How long the texts have been behind, told by the host that writes them. */
  get gauges(): MetricSource {
    const gauge = {
      name: 'causeway_records_lag_seconds',
      help: 'Seconds since the stored records were last up to date',
      labels: {},
    }
    const seconds = () => (this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1_000)
    return {
      name: 'records',
      gauges: [gauge],
      read: async () => (this.#holding ? [{ gauge: gauge.name, labels: {}, value: seconds() }] : []),
    }
  }

  async #work(lease: Lease): Promise<void> {
    const { projectionBatch, projectionMs } = this.#deps.settings
    this.#holding = true
    try {
      while (!lease.signal.aborted) {
        const started = performance.now()
        const { touched, outdated } = await this.#look()
        const taken = touched ? await withLease(this.#deps.pool, lease, (client) => this.#project(client)) : 0
        if (taken === projectionBatch) {
          this.#behindSince ??= started
          continue
        }
        this.#behindSince = null
        if (taken > 0 || !outdated || !(await this.#reform(lease))) await pause(projectionMs, lease.signal)
      }
    } finally {
      this.#holding = false
      this.#behindSince = null
    }
  }

  /** What there is to do; to look takes no lock and writes nothing, as the lease would several times a second. */
  async #look(): Promise<{ readonly touched: boolean; readonly outdated: boolean }> {
    const { rows } = await this.#deps.pool.query<{ touched: boolean; outdated: boolean }>({
      name: 'record_work',
      text: `select exists (select from request_touches) as touched,
        exists (select from record_texts where form < $1) or exists (select from record_texts where form > $1) as outdated`,
      values: [this.#deps.texts.form],
    })
    return rows[0] ?? { touched: false, outdated: false }
  }

  /** Takes a batch of touches; returns their number. Whether a request is finished is read in the snapshot of the deletion. */
  async #project(client: Client): Promise<number> {
    const { rows } = await client.query<{ request_id: Buffer; kept: boolean }>({
      name: 'record_touches_take',
      text: `with taken as (
          delete from request_touches where id in (select id from request_touches order by id limit $1) returning request_id
        )
        select t.request_id, r.next_action is null or exists (select from record_texts x where x.request_id = t.request_id) as kept
        from taken t left join requests r on r.id = t.request_id`,
      values: [this.#deps.settings.projectionBatch],
    })
    await this.#write(
      client,
      rows.filter(({ kept }) => kept),
    )
    return rows.length
  }

  /** Texts that an older form left behind; false when there are none. */
  async #reform(lease: Lease): Promise<boolean> {
    const { texts, pool } = this.#deps
    return withLease(pool, lease, async (client) => {
      const { rows } = await client.query<{ request_id: Buffer }>({
        name: 'record_texts_outdated',
        text: `(select request_id from record_texts where form < $1 limit ${REFORM})
          union all (select request_id from record_texts where form > $1 limit ${REFORM})`,
        values: [texts.form],
      })
      await this.#write(client, rows)
      return rows.length > 0
    })
  }

  async #write(client: Client, rows: readonly { readonly request_id: Buffer }[]): Promise<void> {
    const { texts } = this.#deps
    const ids = [...new Set(rows.map(({ request_id }) => fromBytea(request_id)))]
    // In one order whoever writes.
    const built = await texts.build(
      client,
      ids.sort().map((id) => ({ id, unpaid: false })),
    )
    await texts.store(client, built)
  }
}
