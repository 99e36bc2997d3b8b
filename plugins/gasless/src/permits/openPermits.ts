import { ServiceError } from '@causeway/core'
import type { PermitForm } from '@causeway/core/chain'
import type { Chain, DatabaseClient } from '@causeway/core/plugin'

/**
 * Locks an owner's permits of one token until the commit. Each permit passes alone, but an owner may sign many and spend the money before they
 * land: each would revert at the operator's cost (faults.md F148). Throws ServiceError SERVICE_UNAVAILABLE while another one is pending.
 */
export const requireNoOpenPermit = async (
  client: DatabaseClient,
  { config: { id, solver, originSender = '' } }: Chain,
  { terms: { owner, money, orderId } }: PermitForm,
): Promise<void> => {
  await client.query({
    name: 'permits_lock',
    text: `select pg_advisory_xact_lock(hashtextextended('permits of ' || $1, 0))`,
    values: [`${id} ${money.currency} ${owner}`],
  })
  const { rowCount } = await client.query({
    name: 'permits_open',
    // Earlier versions sent permits by the payout key.
    text: `select from payouts where chain_id = $1 and signer = any($2) and state in ('ready', 'signed') and purpose = 'origin' and currency = $3
        and data::jsonb -> 'origin' -> 'permit' -> 'terms' ->> 'owner' = $4 and order_id <> decode($5, 'hex') limit 1`,
    values: [id, [originSender, solver], money.currency, owner, orderId.slice(2)],
  })
  if (rowCount === 0) return
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    'Another signature of this account for this token is on its way. Post the same signature again once that has its deposit.',
  )
}
