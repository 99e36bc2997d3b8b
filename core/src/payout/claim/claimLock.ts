import type { PoolClient } from 'pg'

/**
 * Until the end of the caller's transaction a claim gets its payout before or after payments of its chain are imported, never between:
 * each would miss the other. Taken before any row.
 */
export const keepImportsOut = async (client: PoolClient, chainId: number): Promise<void> => {
  await client.query({
    name: 'claim_keeps_imports_out',
    text: `select pg_advisory_xact_lock_shared(hashtext('claims'), hashtext($1::text))`,
    values: [String(chainId)],
  })
}

/** The other side of it. */
export const keepClaimsOut = async (client: PoolClient, chainId: number): Promise<void> => {
  await client.query({
    name: 'import_keeps_claims_out',
    text: `select pg_advisory_xact_lock(hashtext('claims'), hashtext($1::text))`,
    values: [String(chainId)],
  })
}
