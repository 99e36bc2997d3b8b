import type { Pool, PoolClient } from 'pg'

/**
 * Notes once how far the chains had been read when the data was put back, or failed over: from there on a lane that it does not know may
 * have paid (faults.md F120). Called before anything reads on.
 */
export const noteForgotten = async (db: Pool | PoolClient): Promise<void> => {
  await db.query(
    `update database_id set noted = server_history(),
       heights = (select jsonb_object_agg(chain_id::text, height::text) from chain_cursors)
     where history <> server_history() and (noted is null or noted not in ('restored', server_history()))`,
  )
}

/**
 * From which block on a lane without a journal may have paid what this database does not know; 0 where that is not known. Null: the data
 * is of one history, so such a lane was never used.
 */
export const findForgottenSince = async (db: Pool | PoolClient, chainId: number): Promise<bigint | null> => {
  await noteForgotten(db)
  const { rows } = await db.query<{ height: string | null }>(
    'select heights ->> $1::text as height from database_id where history <> server_history()',
    [chainId],
  )
  const [row] = rows
  return row === undefined ? null : BigInt(row.height ?? '0')
}
