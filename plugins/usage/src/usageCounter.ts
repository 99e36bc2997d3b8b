import type { Clock } from '@causeway/core'
import type { CallObserver, DatabasePool, FinishedCall } from '@causeway/core/plugin'

export interface UsageCounterDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
  /** Most rows that wait for the database while it cannot be reached; further ones are lost. */
  readonly maxWaiting: number
}

interface Row {
  readonly integratorId: string
  readonly apiKeyId: string
  /** Unix milliseconds. */
  readonly minute: number
  readonly endpoint: string
  readonly status: number
  readonly errorCode: string
  count: number
}

const MINUTE_MS = 60_000

/** Rows arrive in the order of the key, so that hosts which write the same ones never wait for each other in a circle. */
const INSERT = `insert into usage_counts as u (integrator_id, minute, api_key_id, endpoint, status, error_code, count)
  select integrator_id, to_timestamp(minute / 1000.0), api_key_id, endpoint, status, error_code, count
  from unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::bigint[])
    as t (integrator_id, minute, api_key_id, endpoint, status, error_code, count)
  order by 1, 2, 3, 4, 5, 6
  on conflict (integrator_id, minute, api_key_id, endpoint, status, error_code) do update set count = u.count + excluded.count`

/**
 * Counts calls of keys in memory and adds them to the table in one statement (wire.md 4.13). Calls without a key are not
 * counted. Counts are for people to look at: a crash loses the last seconds, and a write whose end is not known is written
 * again.
 */
export class UsageCounter implements CallObserver {
  readonly #deps: UsageCounterDeps
  #rows = new Map<string, Row>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(deps: UsageCounterDeps) {
    this.#deps = deps
  }

  finished({ caller, route, status, errorCode }: FinishedCall): void {
    if (caller.kind === 'anonymous') return
    const { integratorId, apiKeyId } = caller
    const now = this.#deps.clock.now()
    const minute = now - (now % MINUTE_MS)
    this.#add({ integratorId, apiKeyId, minute, endpoint: route, status, errorCode: errorCode ?? '', count: 1 })
  }

  /** Writes what was counted; what cannot be written waits for the next time. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  #add(row: Row): void {
    const { integratorId, apiKeyId, minute, endpoint, status, errorCode } = row
    const key = `${integratorId} ${apiKeyId} ${minute} ${endpoint} ${status} ${errorCode}`
    const known = this.#rows.get(key)
    if (known !== undefined) known.count += row.count
    else if (this.#rows.size < this.#deps.maxWaiting) this.#rows.set(key, row)
  }

  async #write(): Promise<void> {
    const rows = [...this.#rows.values()]
    if (rows.length === 0) return
    this.#rows = new Map()
    try {
      await this.#deps.pool.query(INSERT, [
        rows.map((row) => row.integratorId),
        rows.map((row) => row.minute),
        rows.map((row) => row.apiKeyId),
        rows.map((row) => row.endpoint),
        rows.map((row) => row.status),
        rows.map((row) => row.errorCode),
        rows.map((row) => row.count),
      ])
    } catch (error) {
      for (const row of rows) this.#add(row)
      this.#deps.log.warn({ err: error }, 'the use of keys could not be stored; it is tried again')
    }
  }
}
