import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.js'
import { prepared } from '../database/pool.js'
import {
  type BegunCall,
  type Effect,
  type IdempotentCall,
  type IdempotentCalls,
  type IdempotentRun,
  type KeptAnswer,
  MAX_KEPT_BYTES,
} from './idempotentCalls.js'

const LIFE_MS = 24 * 60 * 60 * 1000
const ATTEMPTS = 3
const REMOVED_AT_ONCE = 5_000

/** No call runs longer: what says so was begun while the server's clock was ahead. */
const LONGEST_RUN = `interval '1 hour'`

/** Taken over: what has expired, and what nobody runs any more where the same is asked again. A lease is in database time. */
const begin = prepared<{ run: string }>(
  'idempotent_begin',
  `insert into idempotent_calls as c (id, body, run, running_until, expires_at)
   values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond', to_timestamp($5 / 1000.0))
   on conflict (id) do update set body = excluded.body, run = excluded.run, running_until = excluded.running_until,
     expires_at = excluded.expires_at, status = null, headers = null, answer = null
   where (c.status is not null or not (c.running_until between clock_timestamp() and clock_timestamp() + ${LONGEST_RUN}))
     and (c.expires_at <= to_timestamp($6 / 1000.0) or (c.status is null and c.body = excluded.body))
   returning run`,
)

interface Known {
  readonly same: boolean
  readonly running: boolean
  readonly status: number | null
  readonly headers: string | null
  readonly answer: string | null
}

const find = prepared<Known & { readonly [name: string]: unknown }>(
  'idempotent_find',
  `select body = $2 as same, running_until between clock_timestamp() and clock_timestamp() + ${LONGEST_RUN} as running, status, headers, answer
   from idempotent_calls where id = $1`,
)

const keep = prepared(
  'idempotent_keep',
  `update idempotent_calls set status = $3, headers = $4, answer = $5 where id = $1 and run = $2 and status is null`,
)

const free = prepared('idempotent_free', 'delete from idempotent_calls where id = $1 and run = $2 and status is null')

const fits = (text: string): boolean => Buffer.byteLength(text) <= MAX_KEPT_BYTES

/** Calls in PostgreSQL: one statement begins a call, one ends it. */
export class SqlIdempotentCalls implements IdempotentCalls {
  readonly #pool: Pool
  readonly #clock: Clock

  constructor(deps: { readonly pool: Pool; readonly clock: Clock }) {
    this.#pool = deps.pool
    this.#clock = deps.clock
  }

  async begin(call: IdempotentCall, leaseMs: number): Promise<BegunCall> {
    const run = randomUUID()
    // What stood in the way may be gone when it is looked at; then the place is free.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const now = this.#clock.now()
      const begun = await begin(this.#pool, [call.id, call.body, run, leaseMs, now + LIFE_MS, now])
      if (begun.length > 0) return { kind: 'run', run: new SqlRun(this.#pool, call.id, run) }
      const [known] = await find(this.#pool, [call.id, call.body])
      const answer = known === undefined ? null : describe(known)
      if (answer !== null) return answer
    }
    return { kind: 'running' }
  }
}

/** Null where the call may be begun after all. */
const describe = ({ same, running, status, headers, answer }: Known): BegunCall | null => {
  if (!same) return { kind: 'other-body' }
  if (status === null) return running ? { kind: 'running' } : null
  if (answer === null) return { kind: 'answered', answer: null }
  return { kind: 'answered', answer: { status, headers: JSON.parse(headers ?? '{}'), text: answer } }
}

class SqlRun implements IdempotentRun {
  readonly #pool: Pool
  readonly #key: readonly [Uint8Array, string]

  constructor(pool: Pool, id: Uint8Array, run: string) {
    this.#pool = pool
    this.#key = [id, run]
  }

  readonly effect: Effect = {
    statement: (answer) => {
      const text = answer === null ? null : JSON.stringify(answer)
      return {
        text: 'select keep_idempotent_answer($1, $2, 200::smallint, $3)',
        values: [...this.#key, text !== null && fits(text) ? text : null],
      }
    },
  }

  async keep(answer: KeptAnswer | null): Promise<void> {
    const kept = answer !== null && fits(answer.text) ? answer : null
    const values = [answer?.status ?? 200, JSON.stringify(kept?.headers ?? {}), kept?.text ?? null]
    await keep(this.#pool, [...this.#key, ...values])
  }

  async free(): Promise<void> {
    await free(this.#pool, this.#key)
  }
}

/** Whether a transaction failed because another run of the same call went before it. */
export const isOvertaken = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'CW002'

/** Removes calls that nobody can repeat any more, some thousands at a time so that no statement takes long. */
export const removeExpiredCalls = async (pool: Pool, now: number): Promise<void> => {
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    const { rowCount } = await pool.query(
      `delete from idempotent_calls where id in (
         select id from idempotent_calls where expires_at <= to_timestamp($1 / 1000.0) and running_until <= clock_timestamp()
         order by expires_at limit $2 for update skip locked)`,
      [now, REMOVED_AT_ONCE],
    )
    removed = rowCount ?? 0
  }
}
