import type { ClientBase } from 'pg'

/** Indexes that guard no constraint, dropped in this transaction; the statements that make them again. */
export const dropIndexes = async (client: ClientBase, tables: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid::regclass::text = any($1) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  )
  // The triggers look requests up by what stays: primary keys.
  if (rows.length > 0) await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`)
  return rows.map(({ definition }) => definition)
}

export const makeIndexes = async (client: ClientBase, definitions: readonly string[]): Promise<void> => {
  for (const definition of definitions) await client.query(definition)
}
