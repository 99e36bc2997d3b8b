import type { Pool } from 'pg'
import type { Chain } from '../../chain/chainRegistry.js'
import { type Lease, withLease } from '../../database/leases.js'
import { findLane, type LaneKey } from './laneJournal.js'

/** Blocks that the journal's block is behind before the lane is read on: a lane that reads whole blocks reads few of them twice. */
const LEAST_BLOCKS = 64n

/**
 * Reads an open lane from its journal's block on, as it is read when it opens, and moves that block on to `height` where its providers
 * show nothing that the journal lacks. So the next opening reads minutes, whatever came to a quiet account meanwhile (faults.md F155). The
 * position stays, and so does the block where anything is unknown or could not be read: the next opening judges that. Returns whether
 * the block moved. Throws ServiceError when too few nodes answer, LeaseLostError.
 */
export const moveLaneOn = async (
  { pool, lease }: { readonly pool: Pool; readonly lease: Lease },
  { adapter }: Pick<Chain, 'adapter'>,
  { chainId, signer }: LaneKey,
  height: bigint,
): Promise<boolean> => {
  const journal = await findLane(pool, { chainId, signer })
  if (journal === null || journal.state !== 'open' || journal.moved || journal.position === null) return false
  if (height - journal.height < LEAST_BLOCKS) return false
  const { position, height: sinceHeight } = journal
  const reading = await adapter.lane.read(signer, { position, sinceHeight })
  if (!reading.complete || reading.unknown.length > 0) return false
  const { rowCount } = await withLease(pool, lease, (client) =>
    client.query({
      name: 'lane_move_on',
      text: `update lanes set height = $3 where chain_id = $1 and signer = $2 and state = 'open' and height = $4 and position = $5`,
      values: [chainId, signer, height.toString(), sinceHeight.toString(), JSON.stringify(position)],
    }),
  )
  return rowCount === 1
}
