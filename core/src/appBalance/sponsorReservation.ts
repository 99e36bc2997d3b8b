import type { Pool } from 'pg'
import type { Hex } from '../money/hex.js'
import type { QuotePart } from '../quote/quoteExtension.js'
import type { TermsSponsorship } from '../quote/quoteTerms.js'

/**
 * Keeps the sponsor's part of a quote until `until`, Unix milliseconds, in the quote's own statement: where the wallet is not the
 * integrator's any more, or its balance does not cover it beside what other quotes keep, nothing of the quote is written (`isBalanceTooLow`). The fill's decision takes it over.
 */
export const sponsorReservation = (
  requestId: Hex,
  { wallet, chainId, currency, amount }: TermsSponsorship,
  { integratorId, now, until }: { readonly integratorId: string; readonly now: number; readonly until: number },
): QuotePart => ({
  name: 'sponsor_reserved',
  text: `insert into sponsor_reservations (request_id, holder, chain_id, currency, amount, until)
    select decode($1, 'hex'), $2, $3::bigint, $4, $5::numeric, to_timestamp($6::bigint / 1000.0) from stored
    where require_sponsorship($8, $2, $3::bigint, $4, $5::numeric, to_timestamp($7::bigint / 1000.0))`,
  values: [requestId.slice(2), wallet, chainId, currency, amount.toString(), until, now, integratorId],
})

const KEPT_MS = 60_000

/** Removes what no quote keeps any more; the sums a minute later, for fills that are just being decided. */
export const removeEndedReservations = async (pool: Pool, now: number): Promise<void> => {
  await pool.query('delete from sponsor_reservations where until < to_timestamp($1 / 1000.0)', [now])
  await pool.query(
    `delete from sponsor_kept_sums where (holder, chain_id, currency, slot, writer) in (
       select holder, chain_id, currency, slot, writer from sponsor_kept_sums where slot <= floor($1::bigint / 5000) for update skip locked)`,
    [now - KEPT_MS],
  )
}
