import type { Pool } from 'pg'
import type { ChainRegistry } from '../../chain/chainRegistry.js'
import { fromBytea } from '../../database/hexBytea.js'
import { isStorableText } from '../../http/request/storableText.js'
import { hiddenChains } from '../../record/privateChains.js'
import { searchTerm } from '../../record/search/searchTerm.js'
import { speakerOf } from '../requestReaderSql.js'
import type { RequestStatus } from '../requestStatus.js'
import { firstFailReasonOf } from './firstFailReasonSql.js'
import type { TrackedRequest, TrackedRequests } from './trackedRequests.js'

const HEX_32 = /^0x[0-9a-f]{64}$/
const MOST = 256

interface Row {
  readonly id: Buffer
  readonly status: RequestStatus
  readonly origin: string
  readonly destination: string
  readonly updated_at: Date
  readonly first_fail_reason: string | null
}

/**
 * Every branch goes by an index and gives few rows. An id goes before an order, an order before a transaction; of several requests of
 * one order or transaction the first is meant. A child that its quote speaks for is told under the quote's id (faults.md F135).
 */
const FIND = {
  name: 'tracked_request',
  text: `with hits as (
      select 0 as rank, r.id, r.created_at from requests r where r.id = $2
      union all (select 1, r.id, r.created_at from requests r where r.order_id = $2 order by r.created_at limit 1)
      union all (select 2, t.request_id, t.created_at from request_txs t where t.tx_id = $1 order by t.created_at limit 1)
      union all (select 3, d.request_id, v.created_at from deposit_arrivals v join deposits d on d.id = v.taken_by
        where v.chain_id = any($3) and v.tx_id = $1 and d.request_id is not null order by v.created_at limit 1)
    ), used as (
      select h.rank, coalesce(case when h.rank >= 2 and not exists (select from requests o where o.id = r.told_as and o.status <> 'waiting')
          then r.told_as end, r.id) as id,
        r.status, r.origin_chain_id as origin, r.destination_chain_id as destination, r.updated_at
      from hits h join requests r on r.id = h.id
    ), quoted as (
      select case when q.id = $2 then 0 else 1 end as rank, q.id, 'waiting' as status, ((q.terms::jsonb)->'origin'->>'chainId')::bigint as origin,
        ((q.terms::jsonb)->'destination'->>'chainId')::bigint as destination, q.created_at
      from quote_rows q where q.id = $2 or q.order_id = $2 order by q.created_at limit 2
    ), found as (
      select * from (select * from used union all select * from quoted) f
      where rank = 0 or not (origin = any($4) or destination = any($4))
      order by rank, status = 'waiting', updated_at limit 1
    )
    select f.id, coalesce(s.status, f.status) as status, f.origin::text as origin, f.destination::text as destination,
      coalesce(s.updated_at, f.updated_at) as updated_at,
      ${firstFailReasonOf('s')} as first_fail_reason
    from found f left join requests s on s.id = ${speakerOf('f.id')}`,
}

/** Finds transfers in PostgreSQL. */
export class SqlTrackedRequests implements TrackedRequests {
  readonly #pool: Pool
  readonly #chains: Pick<ChainRegistry, 'all'>

  constructor(deps: { readonly pool: Pool; readonly chains: Pick<ChainRegistry, 'all'> }) {
    this.#pool = deps.pool
    this.#chains = deps.chains
  }

  async find(id: string): Promise<TrackedRequest | null> {
    if (id === '' || id.length > MOST || !isStorableText(id)) return null
    const term = searchTerm(id)
    const bytes = HEX_32.test(term) ? Buffer.from(term.slice(2), 'hex') : null
    const chainIds = this.#chains.all().map(({ config }) => config.id)
    const { rows } = await this.#pool.query<Row>({
      ...FIND,
      values: [term, bytes, chainIds, hiddenChains(this.#chains, undefined)],
    })
    const [row] = rows
    if (row === undefined) return null
    return {
      requestId: fromBytea(row.id),
      status: row.status,
      originChainId: Number(row.origin),
      destinationChainId: Number(row.destination),
      updatedAt: row.updated_at.getTime(),
      firstFailReason: row.first_fail_reason,
    }
  }
}
