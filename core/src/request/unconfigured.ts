import type { Pool } from 'pg'

/** A chain, or a currency of a configured chain, that unfinished work needs and the configuration lacks. */
export interface Unconfigured {
  readonly chainId: number
  /** Null: the chain itself. */
  readonly currency: string | null
  readonly requests: number
  readonly payouts: number
}

/** A chain of a configuration and the currencies it holds, as the database spells them. */
export interface ConfiguredChain {
  readonly chainId: number
  /** Null: not compared. */
  readonly currencies: readonly string[] | null
}

interface Row {
  readonly chain_id: string
  readonly currency: string | null
  readonly requests: number
  readonly payouts: number
}

/**
 * What unfinished requests and their deposits and payouts need besides what is configured (faults.md F126): they cannot go on before
 * it is there again. Quotes that nobody paid need nothing.
 */
export const findUnconfigured = async (pool: Pool, chains: readonly ConfiguredChain[]): Promise<Unconfigured[]> => {
  const { rows } = await pool.query<Row>(
    `with unfinished as (
       select * from requests where next_action is not null and status <> 'waiting'
     ), needed as (
       select 'request' as kind, encode(id, 'hex') as id, chain_id, currency from unfinished, lateral (
         values (origin_chain_id, origin_currency), (destination_chain_id, destination_currency)) side (chain_id, currency)
       where order_id is not null
       union
       select 'request', encode(r.id, 'hex'), d.chain_id, d.currency from unfinished r join deposits d on d.request_id = r.id
       where d.state = 'included' and d.outcome is null
       union
       -- A refund by an operator may be in a currency that nobody configured.
       select 'payout', id::text, chain_id, null from payouts where next_action is not null
     ), configured as (
       select * from jsonb_to_recordset($1::jsonb) as c(chain_id bigint, currencies jsonb)
     )
     select n.chain_id::text as chain_id, case when c.chain_id is null then null else n.currency end as currency,
       count(distinct n.id) filter (where kind = 'request')::int as requests,
       count(distinct n.id) filter (where kind = 'payout')::int as payouts
     from needed n left join configured c using (chain_id)
     where c.chain_id is null
       or (n.currency is not null and jsonb_typeof(c.currencies) = 'array' and not c.currencies ? n.currency)
     group by 1, 2 order by 1, 2 nulls first`,
    [JSON.stringify(chains.map(({ chainId, currencies }) => ({ chain_id: chainId, currencies })))],
  )
  return rows.map(({ chain_id, ...row }) => ({ chainId: Number(chain_id), ...row }))
}

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]

/** `chain 8453 (2 requests, 1 payout)`, for the operator. */
export const describeUnconfigured = ({ chainId, currency, requests, payouts }: Unconfigured): string => {
  const what = currency === null ? `chain ${chainId}` : `currency ${currency} of chain ${chainId}`
  return `${what} (${[...counted(requests, 'request'), ...counted(payouts, 'payout')].join(', ')})`
}
