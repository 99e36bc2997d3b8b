import type { Pool } from 'pg'

interface Row {
  readonly chain_id: string
  readonly signer: string
}

/**
 * The address that pays on each chain, as the lanes of the solver wrote it down: the lane whose wallet was looked at last, which those of
 * former payout keys do not do; else the lane that a process holds now, else the one that moved last. For who looks without the payout
 * key, where the configuration does not state it; no money is sent by it.
 */
export const readSolvers = async (pool: Pool): Promise<ReadonlyMap<number, string>> => {
  const { rows } = await pool.query<Row>(
    `select distinct on (l.chain_id) l.chain_id::text as chain_id, l.signer
     from lanes l
     left join leases h on h.name = 'lane:' || l.chain_id || ':' || l.signer and h.expires_at > clock_timestamp()
     where l.kind = 'payout'
     order by l.chain_id, coalesce(l.signer = (select i.signer from inventory i where i.chain_id = l.chain_id
         order by i.observed_at desc limit 1), false) desc, (h.name is not null) desc, l.updated_at desc`,
  )
  return new Map(rows.map(({ chain_id, signer }) => [Number(chain_id), signer]))
}
