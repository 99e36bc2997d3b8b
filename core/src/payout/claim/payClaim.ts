import type { PoolClient } from 'pg'
import { parseDestination } from '../../chain/destination.js'
import { toBytea } from '../../database/hexBytea.js'
import { postLedger } from '../../ledger/ledger.js'
import { type ClaimedMoney, claimedPosting, unclaimedPosting } from '../../ledger/postings.js'
import { createPayouts } from '../createPayouts.js'
import { claimOf, type StoredPayout } from '../payoutRecord.js'
import { keepImportsOut } from './claimLock.js'
import { lockClaim, type NewClaim, storeClaim } from './claimStore.js'

/** How a claim is paid, as it was decided when its wallet signed it. */
export interface ClaimPayment {
  /** Account of the lane that pays. */
  readonly signer: string
  /** Smallest unit of what is paid. */
  readonly amount: bigint
  /** Part of the balance kept for the payment's cost, smallest unit of that. */
  readonly fee: bigint
  /** Gas that the simulation used; null: it is simulated before it is signed. */
  readonly gas: bigint | null
}

/**
 * Stores a claim that its wallet signed, takes it out of the balance and makes its payout, in the caller's transaction. Returns false
 * where the claim was paid before: nothing changes then. Throws what `isBalanceTooLow` recognises where the balance is too low.
 */
export const payClaim = async (
  client: PoolClient,
  {
    claim: asked,
    signature,
    payment,
  }: { readonly claim: NewClaim; readonly signature: string; readonly payment: ClaimPayment },
  now: number,
): Promise<boolean> => {
  const { id } = asked
  await keepImportsOut(client, asked.chainId)
  await storeClaim(client, asked, now)
  const claim = await lockClaim(client, id)
  if (claim === null) throw new Error('A claim was not stored.')
  if (claim.payoutId !== null) return false
  const { signer, amount, fee, gas } = payment
  const taken: ClaimedMoney = { holder: claim.wallet, ...claim.balance, fee }
  const payout = {
    purpose: 'claim' as const,
    depositId: null,
    cause: `claim:${id.slice(2)}`,
    requestId: null,
    orderId: id,
    chainId: claim.chainId,
    signer,
    recipient: parseDestination(claim.recipient),
    currency: claim.currency,
    amount,
    fees: 0n,
    data: {
      claim: { ...taken, amount: taken.amount.toString(), fee: fee.toString() },
      ...(gas === null ? {} : { gas: gas.toString() }),
    },
    at: now,
  }
  await createPayouts(client, [payout], now)
  const { rows } = await client.query<{ payout_id: string }>({
    name: 'claim_signed',
    text: `update claims c set payout_id = p.id, signature = $2, signed_at = to_timestamp($3 / 1000.0)
      from payouts p where c.id = $1 and p.purpose = 'claim' and p.order_id = c.id and c.payout_id is null
      returning c.payout_id::text as payout_id`,
    values: [toBytea(id), signature, now],
  })
  const [row] = rows
  if (row === undefined) throw new Error('A claim has no payout.')
  await postLedger(client, [claimedPosting(row.payout_id, taken)], now)
  return true
}

/**
 * A claim that can never be paid ends, in the caller's transaction: what it took is free again. False, and nothing changes, where it is
 * on its way, or over. Whoever calls has the proof that nothing that was signed for it can land.
 */
export const endClaim = async (
  client: PoolClient,
  payout: Pick<StoredPayout, 'id' | 'purpose' | 'data'>,
  reason: string,
  now: number,
): Promise<boolean> => {
  const { rowCount } = await client.query({
    name: 'claim_end',
    text: `update payouts set state = 'dead', fail_reason = 'CLAIM_REFUSED', details = $2, next_action = null, next_action_at = null,
        trouble = null, trouble_since = null, updated_at = to_timestamp($3 / 1000.0)
      where id = $1 and state = 'ready' and purpose = 'claim'`,
    values: [payout.id, reason.slice(0, 500), now],
  })
  if (rowCount !== 1) return false
  await postLedger(client, [unclaimedPosting(payout.id, claimOf(payout))], now)
  return true
}
