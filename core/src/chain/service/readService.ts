import type { Pool } from 'pg'
import { storedAddress } from '../address/storedAddress.js'
import type { ChainRegistry } from '../chainRegistry.js'
import type { ServiceFacts } from './serviceGap.js'

/** The processes and the payout lane of a chain, as the database has them. */
export interface ServiceState extends ServiceFacts {
  readonly chainId: number
  /** Address of the lane; null where the lane was never opened. */
  readonly signer: string | null
  /** Why the lane is not open. */
  readonly reason: string | null
}

interface Row {
  readonly chain_id: string
  readonly signer: string | null
  readonly lane: ServiceFacts['lane']
  readonly reason: string | null
  readonly halted: boolean
  readonly begun: boolean
  readonly watcher_ms: number | null
  readonly solver_ms: number | null
}

/**
 * Of each chain ($1, with the stored address of its solver in $2, or '') its lane and the leases of the two roles. Without an address the
 * lane counts whose wallet was observed last, else the one that moved last.
 */
const SERVICE = `select c.chain_id::text as chain_id, l.signer, l.state as lane, l.reason, h.chain_id is not null as halted,
    exists (select from chain_cursors k where k.chain_id = c.chain_id) as begun,
    (extract(epoch from clock_timestamp() - w.expires_at) * 1000)::float8 as watcher_ms,
    (extract(epoch from clock_timestamp() - s.expires_at) * 1000)::float8 as solver_ms
  from unnest($1::bigint[], $2::text[]) as c(chain_id, solver)
    left join leases w on w.name = 'watch:' || c.chain_id
    left join chain_halts h on h.chain_id = c.chain_id
    left join lateral (
      select o.signer, o.state, o.reason from lanes o
      where o.chain_id = c.chain_id and o.kind = 'payout' and c.solver in ('', o.signer)
      order by coalesce(o.signer = (select i.signer from inventory i where i.chain_id = c.chain_id
        order by i.observed_at desc limit 1), false) desc, o.updated_at desc limit 1
    ) l on true
    left join leases s on s.name = 'lane:' || c.chain_id || ':' || coalesce(l.signer, c.solver)
  order by c.chain_id`

/** The state of every configured chain: one statement over a few rows. */
export const readService = async (pool: Pool, chains: ChainRegistry): Promise<readonly ServiceState[]> => {
  const configs = chains.all().map(({ config }) => config)
  const { rows } = await pool.query<Row>({
    name: 'service_state',
    text: SERVICE,
    values: [configs.map(({ id }) => id), configs.map(({ solver }) => storedAddress(solver))],
  })
  return rows.map(({ chain_id, signer, lane, reason, halted, begun, watcher_ms, solver_ms }) => ({
    chainId: Number(chain_id),
    ...{ signer, lane, reason, halted, isBegun: begun },
    watcherGoneMs: watcher_ms,
    solverGoneMs: solver_ms,
  }))
}
