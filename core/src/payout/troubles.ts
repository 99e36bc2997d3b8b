import type { Pool, PoolClient } from 'pg'

/** A failure of one item in a few plain words: no URL, no stack, one line. */
export const troubleOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  const [line = ''] = text.replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '').split('\n')
  return line.trim().slice(0, 300) || 'failed without a word'
}

/**
 * Lets a payout wait until `at` (Unix milliseconds). `trouble` says what stands in its way and is shown to the operator until the
 * payout moves on (faults.md F126); null: nothing is wrong with it. One that is sent already is looked at again then.
 */
export const putOffPayout = async (
  db: Pool | PoolClient,
  id: string,
  { at, now, trouble }: { readonly at: number; readonly now: number; readonly trouble: string | null },
): Promise<void> => {
  await db.query({
    name: 'payout_put_off',
    text: `update payouts set attempts = attempts + 1, next_action_at = to_timestamp($2 / 1000.0),
        next_action = case when state = 'ready' then 'sign' else next_action end,
        trouble = $3, trouble_since = case when $3::text is null then null else coalesce(trouble_since, to_timestamp($4 / 1000.0)) end
      where id = $1 and state in ('ready', 'signed', 'included')`,
    values: [id, at, trouble, now],
  })
}

/** Nothing stands in the way of a payout any more. */
export const clearTrouble = async (db: Pool | PoolClient, id: string): Promise<void> => {
  await db.query({
    name: 'payout_trouble_over',
    text: 'update payouts set trouble = null, trouble_since = null, attempts = 0 where id = $1 and trouble is not null',
    values: [id],
  })
}
