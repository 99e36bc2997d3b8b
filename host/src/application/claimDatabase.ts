import type { Keys } from '@causeway/core'
import type { Pool } from 'pg'

/** This database belongs to another deployment (faults.md F109). */
export class WrongDatabaseError extends Error {
  override readonly name = 'WrongDatabaseError'
}

/** Recognises a master key without telling anything of it. */
const markOf = (keys: Keys): string | null =>
  keys.has('master') ? Buffer.from(keys.derive('host/database-mark')).subarray(0, 8).toString('hex') : null

/**
 * Writes down at first use which network and master key a database is for; later starts with others are refused: real keys on
 * a test database, or the other way round.
 * @throws WrongDatabaseError
 */
export const claimDatabase = async (
  pool: Pool,
  deployment: { readonly network: 'mainnet' | 'testnet'; readonly keys: Keys },
): Promise<void> => {
  const mark = markOf(deployment.keys)
  const { rows } = await pool.query<{ network: string; master_mark: string | null }>(
    `insert into deployment as d (network, master_mark) values ($1, $2)
     on conflict (one) do update set master_mark = coalesce(d.master_mark, excluded.master_mark)
     returning network, master_mark`,
    [deployment.network, mark],
  )
  const stored = rows[0]
  if (stored !== undefined && stored.network !== deployment.network) {
    throw new WrongDatabaseError(
      `This database belongs to a deployment of ${stored.network}, and the configuration says "network": "${deployment.network}". Use a database of its own for each.`,
    )
  }
  if (mark !== null && stored?.master_mark !== mark) {
    throw new WrongDatabaseError(
      'This database was made under another master key; the API keys in it cannot be read with this one. Use the key that belongs to it, or another database.',
    )
  }
}
