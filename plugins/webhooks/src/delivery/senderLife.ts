import { randomUUID } from 'node:crypto'
import { type DatabasePool, pause } from '@causeway/core'

export interface SenderLifeDeps {
  readonly pool: DatabasePool
  /** How long the deliveries of a process that died wait, milliseconds. */
  readonly ttlMs: number
}

/**
 * This process among those that send. What it claimed is its own as long as its row says that it is alive; what belongs to
 * no living process is set free by whoever looks first. Uses database time only.
 */
export class SenderLife {
  readonly id = randomUUID()
  readonly #deps: SenderLifeDeps
  #aliveUntil = Number.NEGATIVE_INFINITY

  constructor(deps: SenderLifeDeps) {
    this.#deps = deps
  }

  /** Whether what was claimed surely is still this process's own. */
  get isAlive(): boolean {
    return performance.now() < this.#aliveUntil
  }

  /** Stays alive, and sets free what the dead left, until the signal aborts. */
  async run(signal: AbortSignal, onFreed: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.beat()
        if ((await this.#freeOthers()) > 0) onFreed()
      } catch {
        // Without the database nothing can be claimed either; until it is back this process counts as dead.
      }
      await pause(this.#deps.ttlMs / 4, signal)
    }
  }

  async beat(): Promise<void> {
    const asked = performance.now()
    await this.#deps.pool.query({
      name: 'webhooks_sender_beat',
      text: `insert into webhook_senders (id, alive_until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
        on conflict (id) do update set alive_until = excluded.alive_until`,
      values: [this.id, this.#deps.ttlMs],
    })
    this.#aliveUntil = asked + this.#deps.ttlMs
  }

  /** Gives back what this process holds. */
  async end(): Promise<void> {
    await this.#deps.pool.query('delete from webhook_senders where id = $1', [this.id])
    await this.#deps.pool.query('update webhook_streams set claimed_by = null where claimed_by = $1', [this.id])
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
