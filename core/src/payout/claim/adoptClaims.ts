import type { Pool, PoolClient } from 'pg'
import { isBalanceTooLow } from '../../appBalance/appBalances.js'
import { fromBytea } from '../../database/hexBytea.js'
import { walletOfClaim, walletOfClaimSql } from './claimId.js'
import { payClaim } from './payClaim.js'

/** Transactions, as `i`, that paid a claim and belong to no payout here: made in a time that this database forgot (faults.md F120). */
const LOST = `i.payout_id is null and i.status <> 'reverted' and i.order_id is not null and i.released_at is null
      and (i.purpose = 'claim' or i.purpose is null and exists (select from claims c where c.id = i.order_id))`

interface LostClaim {
  order_id: Buffer
  recipient: string
  currency: string
  amount: string
}

/**
 * Books claims that a lane paid in a time that this database forgot: the chain is the proof that the wallet had signed them. One of which
 * nothing is left here is known by its wallet, which stands in its id, and is taken of the balance in the currency that it paid. What
 * the balance does not cover is left as it is, and keeps the lane shut.
 */
export const adoptClaims = async (
  client: PoolClient,
  lane: { readonly chainId: number; readonly signer: string },
  now: number,
): Promise<void> => {
  const { rows } = await client.query<LostClaim>({
    name: 'claims_lost',
    text: `select i.order_id, i.recipient, i.currency, i.amount::text as amount from imported_transactions i
      where i.chain_id = $1 and i.signer = $2 and ${LOST}
        and not exists (select from payouts p where p.purpose = 'claim' and p.order_id = i.order_id)
      order by i.block_height nulls last, i.tx_id, i.part`,
    values: [lane.chainId, lane.signer],
  })
  for (const lost of rows) await adoptClaim(client, lane, lost, now)
}

const adoptClaim = async (
  client: PoolClient,
  { chainId, signer }: { readonly chainId: number; readonly signer: string },
  { order_id, recipient, currency, amount }: LostClaim,
  now: number,
): Promise<void> => {
  const id = fromBytea(order_id)
  const paid = BigInt(amount)
  const claim = {
    ...{ id, wallet: walletOfClaim(id), balance: { chainId, currency, amount: paid } },
    ...{ chainId, currency, recipient, minimum: paid, expiresAt: now },
  }
  await client.query('savepoint lost_claim')
  try {
    await payClaim(client, { claim, signature: '', payment: { signer, amount: paid, fee: 0n, gas: null } }, now)
  } catch (error) {
    await client.query('rollback to savepoint lost_claim')
    if (!isBalanceTooLow(error)) throw error
  }
  await client.query('release savepoint lost_claim')
}

/** Whether a wallet was paid claims that this database does not know, so that its balance may be less than it seems. */
export const hasLostClaims = async (db: Pool | PoolClient, wallet: string): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'claims_lost_of_wallet',
    text: `select from imported_transactions i where ${LOST} and ${walletOfClaimSql('i.order_id')} = $1 limit 1`,
    values: [wallet],
  })
  return rowCount === 1
}
