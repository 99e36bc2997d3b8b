import type { Pool, PoolClient } from 'pg'
import type { DirectCandidate, DirectRequest } from '../../chain/swaps.js'
import { locatorText } from '../../chain/txLocator.js'
import { FOUND_ON_CHAIN, GIVE_UP_MS, MAX_PER_CALLER } from './directTransactions.js'

export const DIRECT_KINDS: readonly DirectRequest['kind'][] = ['send', 'wrap', 'unwrap', 'swap']

/** Those of the kinds in `kinds`, a text array in SQL, of which a chain has a live quote at a time: rows of one column, `kind`. */
export const liveKindsSql = (chainId: string, kinds: string, now: string): string =>
  `select k.kind from unnest(${kinds}::text[]) as k(kind) where exists (
      select from direct_quotes where chain_id = ${chainId} and kind = k.kind and live_until > to_timestamp(${now} / 1000.0))`

/**
 * Stores the candidates that their quote's own user signed, to be looked up by `DirectTracker`. Reports of callers and these are counted
 * apart. Known ones stay as they are.
 */
export const noteCandidates = async (
  db: Pool | PoolClient,
  chainId: number,
  candidates: readonly DirectCandidate[],
  now: number,
): Promise<void> => {
  if (candidates.length === 0) return
  await db.query({
    name: 'direct_note_candidates',
    text: `insert into direct_transactions (request_id, chain_id, tx_id, next_look_at, give_up_at, locator, reporter)
      select d.request_id, $2, n.tx_id, to_timestamp($3 / 1000.0), to_timestamp(($3 + $4) / 1000.0), n.locator, $6
      from jsonb_to_recordset($1::jsonb) as n(request_id text, tx_id text, locator text, senders jsonb)
        join direct_quotes d on d.request_id = decode(n.request_id, 'hex')
      where d.chain_id = $2 and n.senders ? d.sender and d.live_until > to_timestamp($3 / 1000.0)
        and (select count(*) from direct_transactions t where t.request_id = d.request_id and t.reporter = $6) < $5
      on conflict do nothing`,
    values: [
      JSON.stringify(
        candidates.map(({ requestId, tx, senders }) => ({
          request_id: requestId.slice(2),
          tx_id: tx.id,
          locator: locatorText(tx.locator),
          senders,
        })),
      ),
      chainId,
      now,
      GIVE_UP_MS,
      MAX_PER_CALLER,
      FOUND_ON_CHAIN,
    ],
  })
}

/** Drops what is no longer watched for. */
export const removeEndedDirectQuotes = async (pool: Pool, now: number): Promise<void> => {
  await pool.query('delete from direct_quotes where live_until < to_timestamp($1 / 1000.0)', [now])
}
