import { heldMasters, type Keys, type MasterMarks, refuseMasters } from '@causeway/core/plugin'
import type { Pool } from 'pg'

/** This database belongs to another deployment (faults.md F109). */
export class WrongDatabaseError extends Error {
  override readonly name = 'WrongDatabaseError'
}

/** It belongs to this deployment, and the master keys of this process are not those its rows are sealed under. */
export class WrongMasterError extends WrongDatabaseError {}

interface Row extends MasterMarks {
  readonly network: string
}

/**
 * Writes down at first use which network and master key a database is for; later starts with others are refused: real keys on
 * a test database, or the other way round. A process with master keys needs every one that rows are sealed under. The first process
 * with two writes down which one is to take the place of the other, so that no two processes wait for different ones.
 * @throws WrongDatabaseError
 */
export const claimDatabase = async (
  pool: Pool,
  deployment: { readonly network: 'mainnet' | 'testnet'; readonly keys: Keys },
): Promise<void> => {
  const held = heldMasters(deployment.keys)
  const { rows } = await pool.query<Row>(
    `insert into deployment as d (network, master_mark) values ($1, $2)
     on conflict (one) do update set
       master_mark = coalesce(d.master_mark, excluded.master_mark),
       announced_master_mark = case
         when d.network = $1 and d.next_master_mark is null and d.master_mark = $3::text and d.master_mark <> $2::text
         then coalesce(d.announced_master_mark, $2::text) else d.announced_master_mark end
     returning network, master_mark as current, next_master_mark as next, announced_master_mark as announced`,
    [deployment.network, held.master, held.previous],
  )
  const stored = rows[0]
  if (stored === undefined) throw new Error('The deployment could not be stored.')
  if (stored.network !== deployment.network) {
    throw new WrongDatabaseError(
      `This database belongs to a deployment of ${stored.network}, and the configuration says "network": "${deployment.network}". Use a database of its own for each.`,
    )
  }
  const refusal = refuseMasters(held, stored)
  if (refusal !== null) throw new WrongMasterError(refusal)
}
