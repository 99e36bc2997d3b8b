import type { Pool, PoolClient } from 'pg'
import type { LaneReading } from '../../chain/laneAdapter.js'
import type { LaneKey } from './laneJournal.js'

/**
 * The event under which the first balance of a lane without a journal is booked as capital (architecture.md 6 Ledger), each lane of a
 * chain its own: money that is moved from one payout key to the next leaves the books with the order that moves it and comes back here.
 * Null: nothing is booked, as the books have that money. `forgotten` says that the database may lack the lane's journal (faults.md
 * F120); then a key that paid orders before was the payout key of the time that is lost, and so was one whose chain has other lanes of
 * which none was found in order since: what it holds is what the books have of the key before it.
 */
export const openingEvent = async (
  client: PoolClient,
  { chainId, signer }: LaneKey,
  { forgotten, reading }: { readonly forgotten: boolean; readonly reading: LaneReading },
): Promise<string | null> => {
  const { rows } = await client.query<{ others: number; compared: number }>(
    `select count(*)::int as others, (count(*) filter (where history = server_history() and state <> 'quarantined'))::int as compared
     from lanes where chain_id = $1 and signer <> $2`,
    [chainId, signer],
  )
  const { others, compared } = rows[0] ?? { others: 0, compared: 0 }
  if (forgotten && (reading.unknown.some(({ orderId }) => orderId !== null) || (others > 0 && compared === 0)))
    return null
  return others === 0 ? 'opening' : `opening:${signer}`
}

/**
 * Other lanes of the chain of which something sent is not final yet, or that are shut, once this one has been compared with its chain
 * itself.
 */
export const findFormerLanes = async (db: Pool, { chainId, signer }: LaneKey): Promise<readonly LaneKey[]> => {
  const { rows } = await db.query<{ signer: string }>({
    name: 'lanes_former',
    text: `select l.signer from lanes l where l.chain_id = $1 and l.signer <> $2
        and exists (select from lanes o where o.chain_id = $1 and o.signer = $2)
        and (l.state <> 'open'
          or exists (select from payouts p where p.chain_id = $1 and p.signer = l.signer and p.state in ('signed', 'included')))
      order by l.signer`,
    values: [chainId, signer],
  })
  return rows.map((row) => ({ chainId, signer: row.signer }))
}
