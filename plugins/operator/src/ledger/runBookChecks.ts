import { withTransaction } from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'
import { bookChecks } from './bookChecks.js'

/** Rows of a check that are told; the rest is counted. */
export const TOLD = 20

/** One violated rule. */
export interface Finding {
  readonly check: string
  readonly rule: string
  readonly remedy: string
  /** Violations in all. */
  readonly count: number
  /** The first of them. */
  readonly cases: readonly { readonly ids: readonly string[]; readonly says: string }[]
}

/** Runs every check in the caller's transaction. */
export const checkBooks = async (client: PoolClient): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const { name, rule, remedy, sql } of bookChecks) {
    const { rows } = await client.query<{ ids: string[]; says: string; total: string }>(
      `with violations as materialized (${sql})
       select ids, says, (select count(*) from violations)::text as total from violations limit ${TOLD}`,
    )
    const [first] = rows
    if (first === undefined) continue
    const cases = rows.map(({ ids, says }) => ({ ids, says }))
    findings.push({ check: name, rule, remedy, count: Number(first.total), cases })
  }
  return findings
}

/** Runs every check in one read-only snapshot, so that work under way disturbs none of them. */
export const runBookChecks = (pool: Pool): Promise<Finding[]> =>
  withTransaction(
    pool,
    async (client) => {
      await client.query('set transaction read only')
      return checkBooks(client)
    },
    { isolation: 'repeatable read' },
  )
