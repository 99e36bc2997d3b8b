import { LASTING_DIFFERENCE_SQL } from '@causeway/core/money-path'
import type { Pool } from 'pg'
import { until } from '../until.js'

/**
 * What the lanes say wallets differ from the books by, in words, once they have looked at every balance again and again for longer
 * than a difference takes to count; empty when all agree (F128).
 */
export const findWalletDifferences = async (pool: Pool): Promise<string[]> => {
  const looked = async (): Promise<Date | undefined> =>
    (await pool.query<{ at: Date | null }>('select min(observed_at) as at from inventory')).rows[0]?.at ?? undefined
  const begun = (await looked())?.getTime() ?? 0
  await until('the balances to be looked at for a while', async () =>
    ((await looked())?.getTime() ?? 0) - begun > 6_000 ? true : null,
  )
  const { rows } = await pool.query<{ text: string }>(
    `select 'chain ' || chain_id || ' ' || currency || ' by ' || difference as text from inventory i
     where (${LASTING_DIFFERENCE_SQL}) <> 0`,
  )
  return rows.map(({ text }) => text)
}
