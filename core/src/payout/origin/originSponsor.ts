import type { PoolClient } from 'pg'
import { postLedger } from '../../ledger/ledger.js'
import { originPaidPosting, originSponsoredPosting, originUnsponsoredPosting } from '../../ledger/postings.js'
import type { OriginBearer } from './originData.js'

type Sponsor = Extract<OriginBearer, { by: 'sponsor' }>

export const sponsoredMoney = ({ holder, chainId, currency, amount }: Sponsor) => ({
  holder,
  chainId,
  currency,
  amount: BigInt(amount),
})

/**
 * Sets aside what a sponsor pays for a transaction, in the caller's transaction: of a balance that quotes do not keep (wire.md D.9). Throws what
 * `isBalanceTooLow` knows where it is too small, or the wallet does not pay for this integrator any more.
 */
export const setSponsorAside = async (
  client: PoolClient,
  {
    payoutId,
    integratorId,
    sponsor,
  }: {
    readonly payoutId: string
    readonly integratorId: string
    readonly sponsor: Sponsor
  },
  now: number,
): Promise<void> => {
  const { holder, chainId, currency, amount } = sponsor
  await client.query({
    name: 'origin_sponsor_required',
    text: 'select require_sponsorship($1, $2, $3::bigint, $4, $5::numeric, to_timestamp($6::bigint / 1000.0))',
    values: [integratorId, holder, chainId, currency, amount, now],
  })
  await postLedger(client, [originSponsoredPosting(payoutId, sponsoredMoney(sponsor))], now)
}

/** It ends without a success: what was set aside is spent where a transaction of it took gas, and free again else. */
export const settleSponsor = async (
  client: PoolClient,
  { payoutId, borne }: { readonly payoutId: string; readonly borne: OriginBearer | undefined },
  now: number,
): Promise<void> => {
  if (borne?.by !== 'sponsor') return
  const { rowCount } = await client.query({
    name: 'origin_ran',
    text: `select from payout_attempts where payout_id = $1 and kind = 'pay' and state = 'reverted' limit 1`,
    values: [payoutId],
  })
  const money = sponsoredMoney(borne)
  const ran = rowCount !== 0
  const posting = ran ? originPaidPosting(payoutId, money, 'spent') : originUnsponsoredPosting(payoutId, money)
  await postLedger(client, [posting], now)
}
