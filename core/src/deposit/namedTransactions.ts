import type { Pool } from 'pg'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { ServiceError } from '../errors/serviceError.js'

/** Most that wait to be looked at: anyone may name some. */
const MOST_WAITING = 32
/** Deposits of one transaction that are looked for. */
const POSITIONS = [0, 1, 2, 3]

/** Transactions of a chain that somebody named, until its watcher looks at them. */
export class NamedTransactions {
  readonly #ids = new Set<string>()

  add(id: string): void {
    if (this.#ids.size < MOST_WAITING) this.#ids.add(id)
  }

  /** All that wait, which wait no more. */
  take(): readonly string[] {
    const ids = [...this.#ids]
    this.#ids.clear()
    return ids
  }
}

/**
 * Deposits of named transactions up to a height that was read, of which no row says that they are there: the node that was read then did
 * not show them.
 * Where the chain cannot be asked now the transactions wait on.
 */
export const findOverlooked = async (
  pool: Pool,
  { config, adapter }: Chain,
  named: NamedTransactions,
  height: bigint,
): Promise<readonly DepositEvent[]> => {
  const ids = named.take()
  if (ids.length === 0) return []
  const { rows } = await pool.query<{ id: string }>({
    name: 'deposits_named',
    text: `select n.id from unnest($2::text[]) n(id) where not exists (select from deposits d where d.chain_id = $1 and d.tx_id = n.id and d.state = 'included')`,
    values: [config.id, ids],
  })
  const references = rows.flatMap(({ id }) => POSITIONS.map((position) => ({ tx: { id }, position })))
  if (references.length === 0) return []
  try {
    const evidence = await adapter.recheckDeposits(references)
    return evidence.flatMap(({ finding, deposit }) =>
      finding === 'present' && isRead(deposit, height) ? [deposit] : [],
    )
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    for (const { id } of rows) named.add(id)
    return []
  }
}

/** What lies above is read by the watcher as it comes to it. */
const isRead = (deposit: DepositEvent | undefined, height: bigint): deposit is DepositEvent =>
  deposit?.state === 'included' && deposit.block !== null && deposit.block.height <= height
