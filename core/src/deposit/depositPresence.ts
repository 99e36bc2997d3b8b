import type { PoolClient } from 'pg'

/** Whether a deposit is on its chain, and by which of its inclusions. */
export interface DepositPresence {
  readonly onChain: boolean
  readonly inclusion: number
}

/** Where deposits stand; their rows stay locked until the commit, so that none leaves or comes back meanwhile. */
export const lockDeposits = async (
  client: PoolClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DepositPresence>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await client.query<{ id: string; state: string; inclusions: number }>({
    name: 'deposits_presence',
    text: `select id::text as id, state, inclusions from deposits where id = any($1::bigint[]) order by deposits.id for no key update`,
    values: [ids],
  })
  return new Map(
    rows.map(({ id, state, inclusions }) => [id, { onChain: state === 'included', inclusion: inclusions }]),
  )
}
