import type { PoolClient } from 'pg'

/** Unsigned payouts wait until the chain their deposit came from is released (faults.md F125); next look at `at`, Unix milliseconds. */
export const holdPayoutsOf = async (client: PoolClient, originChainId: number, at: number): Promise<void> => {
  await client.query(
    `update payouts p set next_action = 'await-release', next_action_at = to_timestamp($2 / 1000.0)
     from deposits d where d.id = p.deposit_id and d.chain_id = $1 and p.state = 'ready'`,
    [originChainId, at],
  )
}

/** Payouts that waited for that chain are signed next; returns the chains they pay on, one for each payout. */
export const releasePayoutsOf = async (
  client: PoolClient,
  originChainId: number,
  now: number,
): Promise<readonly number[]> => {
  const { rows } = await client.query<{ chain: string }>(
    `update payouts p set next_action = 'sign', next_action_at = to_timestamp($2 / 1000.0)
     from deposits d where d.id = p.deposit_id and d.chain_id = $1 and p.state = 'ready' and p.next_action = 'await-release'
     returning p.chain_id::text as chain`,
    [originChainId, now],
  )
  return rows.map(({ chain }) => Number(chain))
}
