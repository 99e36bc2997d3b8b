import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { type DatabasePool, FINISHED_STATUSES, fromBytea, type RequestStatus, toBytea } from '@causeway/core/plugin'
import { callText, type ExecuteInput } from './executeInput.js'

/** Names a call without a quote: what it is, and whose. */
export const callHash = (integratorId: string, input: ExecuteInput): Buffer =>
  createHash('sha256')
    .update(`${integratorId}\n${callText(input)}`)
    .digest()

const DAY_MS = 86_400_000
/** Entries of a day ago that go with each new one. */
const FORGOTTEN = 10

/** Calls that are under way, each once. */
export class CallStore {
  readonly #pool: DatabasePool

  constructor(pool: DatabasePool) {
    this.#pool = pool
  }

  /** Request of the same call while that is under way, or about to be; null: there is none. */
  async findRunning(hash: Buffer): Promise<Hex | null> {
    const { rows } = await this.#pool.query<{ request_id: Buffer; status: RequestStatus | null }>({
      name: 'gasless_call_running',
      text: `select c.request_id, r.status from gasless_calls c left join requests r on r.id = c.request_id where c.hash = $1`,
      values: [hash],
    })
    const [row] = rows
    if (row === undefined) return null
    const requestId = fromBytea(row.request_id)
    if (row.status === null || !FINISHED_STATUSES.includes(row.status)) return requestId
    await this.forget(hash, requestId)
    return null
  }

  /** The statement that writes an entry with its quote: where another one has the call, neither is written (`isTaken`). */
  entry(hash: Buffer, requestId: Hex, now: number) {
    return {
      text: `with old as (
          delete from gasless_calls where hash in (
            select hash from gasless_calls where created_at < to_timestamp($4 / 1000.0) and hash <> $1
            order by created_at limit ${FORGOTTEN} for update skip locked)
        )
        insert into gasless_calls (hash, request_id, created_at) values ($1, $2, to_timestamp($3 / 1000.0))`,
      values: [hash, toBytea(requestId), now, now - DAY_MS],
    }
  }

  async forget(hash: Buffer, requestId: Hex): Promise<void> {
    await this.#pool.query('delete from gasless_calls where hash = $1 and request_id = $2', [hash, toBytea(requestId)])
  }
}

/** Whether another call has written its entry meanwhile. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === '23505' && Reflect.get(error, 'table') === 'gasless_calls'
