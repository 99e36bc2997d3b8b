import { type Keys, masterMark } from '@causeway/core/plugin'
import type { Pool } from 'pg'

/** This database belongs to another deployment (faults.md F109). */
export class WrongDatabaseError extends Error {
  override readonly name = 'WrongDatabaseError'
}

/** It belongs to this deployment, and the master keys of this process are not those its rows are sealed under. */
export class WrongMasterError extends WrongDatabaseError {}

interface Row {
  readonly network: string
  readonly master_mark: string | null
  readonly next_master_mark: string | null
}

const OTHER_MASTER =
  'This database was made under another master key; the API keys in it cannot be read with this one. Use the key that belongs to it, or another database. To put this key in the place of that one, name that one as "keys.previousMaster".'
const BOTH_MASTERS =
  'This database is being moved from one master key to another, and this process has one of them only. Give it both, as "keys.master" and "keys.previousMaster", until `causeway api-keys rotate-master` is done.'

/**
 * Writes down at first use which network and master key a database is for; later starts with others are refused: real keys on
 * a test database, or the other way round. A process with master keys needs every one that rows are sealed under.
 * @throws WrongDatabaseError
 */
export const claimDatabase = async (
  pool: Pool,
  deployment: { readonly network: 'mainnet' | 'testnet'; readonly keys: Keys },
): Promise<void> => {
  const mark = masterMark(deployment.keys)
  const { rows } = await pool.query<Row>(
    `insert into deployment as d (network, master_mark) values ($1, $2)
     on conflict (one) do update set master_mark = coalesce(d.master_mark, excluded.master_mark)
     returning network, master_mark, next_master_mark`,
    [deployment.network, mark],
  )
  const stored = rows[0]
  if (stored === undefined) throw new Error('The deployment could not be stored.')
  if (stored.network !== deployment.network) {
    throw new WrongDatabaseError(
      `This database belongs to a deployment of ${stored.network}, and the configuration says "network": "${deployment.network}". Use a database of its own for each.`,
    )
  }
  const held = [mark, masterMark(deployment.keys, 'previousMaster')]
  if (mark === null) return
  if (!held.includes(stored.master_mark) && stored.next_master_mark === null) throw new WrongMasterError(OTHER_MASTER)
  const needed = [stored.master_mark, stored.next_master_mark].filter((needs) => needs !== null)
  if (!needed.every((needs) => held.includes(needs))) throw new WrongMasterError(BOTH_MASTERS)
}
