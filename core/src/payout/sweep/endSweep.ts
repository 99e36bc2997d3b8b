import type { PoolClient } from 'pg'
import type { StoredPayout } from '../payoutRecord.js'

/** A sweep that moves nothing, or cannot be made now, ends unsent; its address is looked at again after a while. */
export const endSweep = async (
  client: PoolClient,
  { id, chainId, address }: Pick<StoredPayout, 'id' | 'chainId' | 'address'>,
  why: string,
  { now, lookAt }: { readonly now: number; readonly lookAt: number },
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `update payouts set state = 'dead', fail_reason = 'NOTHING_SWEPT', details = $2, next_action = null, next_action_at = null, trouble = null,
       trouble_since = null, updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'ready' and purpose = 'sweep'`,
    [id, why.slice(0, 500), now],
  )
  if (rowCount !== 1) return false
  await client.query(
    `update deposit_address_places set trouble = $3, next_look_at = to_timestamp($4 / 1000.0), expected = false, looks = 0
     where address_id = $1 and chain_id = $2`,
    [address?.id, chainId, why.slice(0, 500), lookAt],
  )
  return true
}

/** A sweep is in a block: what came meanwhile is looked for at once. */
export const lookAgain = async (client: PoolClient, sweeps: readonly StoredPayout[], now: number): Promise<void> => {
  if (sweeps.length === 0) return
  const rows = sweeps.map(({ chainId, address }) => ({ chain_id: chainId, address_id: address?.id }))
  await client.query({
    name: 'places_again',
    text: `update deposit_address_places p set next_look_at = to_timestamp($2 / 1000.0), trouble = null
      from jsonb_to_recordset($1::jsonb) as s(chain_id bigint, address_id bigint) where p.chain_id = s.chain_id and p.address_id = s.address_id`,
    values: [JSON.stringify(rows), now],
  })
}
