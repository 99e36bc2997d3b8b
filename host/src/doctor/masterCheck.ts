import type { Diagnosis } from '@causeway/core/chain'
import { heldMasters, type Keys, readMasterMarks, refuseMasters } from '@causeway/core/plugin'
import type { Pool } from 'pg'

/** Whether a start with the master keys that are here would be refused by this database; nothing where none is here. */
export const checkMaster = async (pool: Pool, keys: Keys): Promise<readonly Diagnosis[]> => {
  const held = heldMasters(keys)
  if (held.master === null) return []
  const refusal = refuseMasters(held, await readMasterMarks((text) => pool.query(text)))
  const finding = { check: 'master key', subject: 'database' }
  if (refusal === null) return [{ ...finding, state: 'ok', message: 'is one that this database is used with' }]
  const message = `does not fit this database: a start is refused. ${refusal}`
  return [{ ...finding, state: 'fault', message, remedy: 'See "Master key" in operations/day2.md.' }]
}
