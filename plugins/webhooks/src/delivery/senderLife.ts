import { randomUUID } from 'node:crypto'
import { type DatabasePool, pause } from '@causeway/core/plugin'

export interface SenderLifeDeps {
  readonly pool: DatabasePool
  /** How long the deliveries of a process that died wait, milliseconds. */
  readonly ttlMs: number
}

/**
 * This process among those that send. What it claimed under its id is its own as long as the id's row says that it is alive;
 * what belongs to no living id is set free by whoever looks first. An id that was not alive for a moment is never used again:
 * what it holds may be lost to this process too, and is set free like that of the dead. Uses database time only.
 */
export class SenderLife {
  readonly #deps: SenderLifeDeps
  #id = randomUUID()
  #aliveUntil = Number.NEGATIVE_INFINITY

  constructor(deps: SenderLifeDeps) {
    this.#deps = deps
  }

  /** What to claim under now; null where nothing may be claimed. */
  get id(): string | null {
    return performance.now() < this.#aliveUntil ? this.#id : null
  }

  /** Whether what was claimed under an id surely is still this process's own. */
  holds(id: string): boolean {
    return this.id === id
  }

  /** Lives, under another id each time, and sets free what the dead left, until the signal aborts. */
  async run(signal: AbortSignal, onChange: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        const began = await this.#beat()
        const freed = await this.#freeOthers()
        if (began || freed > 0) onChange()
      } catch {
        // Without the database nothing can be claimed either; until it is back this process counts as dead.
      }
      await pause(this.#deps.ttlMs / 4, signal)
    }
  }

  /** Gives back what this process holds, and lives no more. */
  async end(): Promise<void> {
    this.#aliveUntil = Number.NEGATIVE_INFINITY
    await this.#deps.pool.query('delete from webhook_senders where id = $1', [this.#id])
    await this.#deps.pool.query('update webhook_streams set claimed_by = null where claimed_by = $1', [this.#id])
  }

  /** True where a new life began. */
  async #beat(): Promise<boolean> {
    if (this.id !== null && (await this.#goOn())) return false
    const id = randomUUID()
    const asked = performance.now()
    await this.#deps.pool.query({
      name: 'webhooks_sender_begin',
      text: `insert into webhook_senders (id, alive_until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')`,
      values: [id, this.#deps.ttlMs],
    })
    this.#id = id
    this.#aliveUntil = asked + this.#deps.ttlMs
    return true
  }

  /** False where the others already count this id as dead. */
  async #goOn(): Promise<boolean> {
    const asked = performance.now()
    const { rowCount } = await this.#deps.pool.query({
      name: 'webhooks_sender_go_on',
      text: `update webhook_senders set alive_until = clock_timestamp() + $2 * interval '1 millisecond'
        where id = $1 and alive_until > clock_timestamp()`,
      values: [this.#id, this.#deps.ttlMs],
    })
    // Answered too late, it lapsed here meanwhile.
    if (rowCount !== 1 || this.id === null) return false
    this.#aliveUntil = asked + this.#deps.ttlMs
    return true
  }

  async #freeOthers(): Promise<number> {
    const { pool } = this.#deps
    await pool.query({
      name: 'webhooks_sender_bury',
      text: 'delete from webhook_senders where alive_until < clock_timestamp()',
    })
    const { rowCount } = await pool.query({
      name: 'webhooks_sender_free',
      text: `update webhook_streams s set claimed_by = null
        where s.claimed_by is not null and not exists (select from webhook_senders w where w.id = s.claimed_by)`,
    })
    return rowCount ?? 0
  }
}
