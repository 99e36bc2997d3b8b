import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { pause } from '../../database/leases.js'
import { type Notifier, SERVICE_CHANNEL } from '../../database/notifier.js'
import type { Role } from '../../plugin/plugin.js'
import type { ChainRegistry } from '../chainRegistry.js'
import { storedAddress } from '../storedAddress.js'
import { type ServiceFacts, serviceGapOf } from './serviceGap.js'

export interface ServiceWatchDeps {
  readonly pool: Pool
  readonly chains: ChainRegistry
  readonly notifier: Notifier
  readonly log: Logger
  /** How long a chain may be without a watcher or a solver before its quotes are refused. */
  readonly limitMs: number
  /** Roles of this process: its own watcher and solver get `limitMs` from its start. */
  readonly roles: readonly Role[]
  /** Fallback poll interval: a missing role is seen by it, since no statement says that a process died. */
  readonly pollMs: number
  /** Milliseconds that only grow. */
  now(): number
}

interface Row {
  readonly chain_id: string
  readonly watcher_ms: number | null
  readonly solver_ms: number | null
  readonly lane: ServiceFacts['lane']
  readonly halted: boolean
}

/**
 * Of each chain ($1, with the stored address of its solver in $2, or '') its lane and the leases of the two roles. Without an address the
 * lane counts whose wallet was observed last, else the one that moved last.
 */
const FACTS = `select c.chain_id::text as chain_id, l.state as lane, h.chain_id is not null as halted,
    (extract(epoch from clock_timestamp() - w.expires_at) * 1000)::float8 as watcher_ms,
    (extract(epoch from clock_timestamp() - s.expires_at) * 1000)::float8 as solver_ms
  from unnest($1::bigint[], $2::text[]) as c(chain_id, solver)
    left join leases w on w.name = 'watch:' || c.chain_id
    left join chain_halts h on h.chain_id = c.chain_id
    left join lateral (
      select o.signer, o.state from lanes o where o.chain_id = c.chain_id and o.kind = 'payout' and c.solver in ('', o.signer)
      order by coalesce(o.signer = (select i.signer from inventory i where i.chain_id = c.chain_id
        order by i.observed_at desc limit 1), false) desc, o.updated_at desc limit 1
    ) l on true
    left join leases s on s.name = 'lane:' || c.chain_id || ':' || coalesce(l.signer, c.solver)`

/** Tells the chain registry which chains no running part of the service watches or pays on. Quotes read the registry and ask nothing. */
export class ServiceWatch {
  readonly #deps: ServiceWatchDeps
  readonly #startedAt: number

  constructor(deps: ServiceWatchDeps) {
    this.#deps = deps
    this.#startedAt = deps.now()
  }

  /** Reads at each notification and after `pollMs`, until the signal aborts. While the database does not answer the last reading counts. */
  async run(signal: AbortSignal): Promise<void> {
    let wake = new AbortController()
    this.#deps.notifier.on(SERVICE_CHANNEL, () => wake.abort(), signal)
    while (!signal.aborted) {
      wake = new AbortController()
      await this.read()
      await pause(this.#deps.pollMs, AbortSignal.any([wake.signal, signal]))
    }
  }

  async read(): Promise<void> {
    const { pool, chains } = this.#deps
    const configs = chains.all().map(({ config }) => config)
    const { rows } = await pool.query<Row>({
      name: 'service_facts',
      text: FACTS,
      values: [configs.map(({ id }) => id), configs.map(({ solver }) => storedAddress(solver))],
    })
    for (const row of rows) this.#judge(row)
  }

  #judge({ chain_id, watcher_ms, solver_ms, lane, halted }: Row): void {
    const { chains, log, limitMs } = this.#deps
    const chainId = Number(chain_id)
    const watcherGoneMs = this.#goneMs(watcher_ms, 'watcher')
    const solverGoneMs = this.#goneMs(solver_ms, 'solver')
    const gap = serviceGapOf(chainId, { watcherGoneMs, solverGoneMs, lane, halted }, limitMs)
    if (!chains.setGap(chainId, gap)) return
    if (gap === null) log.info({ chainId }, 'The chain takes quotes again')
    else log.error({ chainId, ...gap }, 'The chain takes no quotes: no part of the service can serve them')
  }

  /** A role that never ran, or that this process starts itself, is missing since this process started at most. */
  #goneMs(sinceEnd: number | null, role: Role): number {
    const sinceStart = this.#deps.now() - this.#startedAt
    if (sinceEnd === null) return sinceStart
    return this.#deps.roles.includes(role) ? Math.min(sinceEnd, sinceStart) : sinceEnd
  }
}
