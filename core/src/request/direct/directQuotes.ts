import type { Pool, PoolClient } from 'pg'
import type { DirectCandidate, DirectRequest } from '../../chain/swaps.js'
import { locatorText } from '../../chain/txLocator.js'
import { FOUND_ON_CHAIN, GIVE_UP_MS, MAX_PER_CALLER } from './directTransactions.js'

const KINDS: readonly DirectRequest['kind'][] = ['send', 'wrap', 'unwrap', 'swap']

/** The kinds of which a chain has a live quote. */
export const liveDirectKinds = async (
  pool: Pool,
  chainId: number,
  now: number,
): Promise<readonly DirectRequest['kind'][]> => {
  const { rows } = await pool.query<{ kind: DirectRequest['kind'] }>({
    name: 'direct_live_kinds',
    text: `select k.kind from unnest($2::text[]) as k(kind)
      where exists (select from direct_quotes where chain_id = $1 and kind = k.kind and live_until > to_timestamp($3 / 1000.0))`,
    values: [chainId, KINDS, now],
  })
  return rows.map(({ kind }) => kind)
}

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
