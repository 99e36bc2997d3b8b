import type { Pool, PoolClient } from 'pg'
import { toBytea } from '../../database/hexBytea.js'
import type { Hex } from '../../money/hex.js'
import type { RequestStatus } from '../../request/requestStatus.js'
import type { PayoutOrigin } from './originData.js'

/** What was sent for the user of a request, and where the request stands. */
export interface FoundOrigin {
  readonly origin: PayoutOrigin
  readonly status: RequestStatus
}

/** Null: nothing was sent for it. */
export const findOrigin = async (db: Pool | PoolClient, requestId: Hex): Promise<FoundOrigin | null> => {
  const { rows } = await db.query<{ data: string; status: RequestStatus }>({
    name: 'origin_found',
    text: `select p.data, r.status from payouts p join requests r on r.id = p.request_id
      where p.request_id = $1 and p.purpose = 'origin' order by p.id limit 1`,
    values: [toBytea(requestId)],
  })
  const [row] = rows
  return row === undefined ? null : { origin: JSON.parse(row.data).origin, status: row.status }
}
