import type { PoolClient } from 'pg'

/**
 * Dollars by which requests are searched and ordered, of what was deposited instead of what was quoted, at the price of the quote (wire.md
 * 3.1); app fees are a share of it. Requests whose user swapped on the way keep what was quoted. One statement.
 */
export const saveDepositedAmounts = async (client: PoolClient, depositIds: readonly string[]): Promise<void> => {
  if (depositIds.length === 0) return
  await client.query({
    name: 'requests_deposited',
    text: `update requests r set amount_usd = round(s.amount_usd * d.amount / r.amount_in, 6), app_fees_usd = round(s.app_fees_usd * d.amount / r.amount_in, 6)
      from deposits d, request_facts f, lateral search_columns(f.quoted::jsonb, '{}', false) s
      where d.id = any($1::bigint[]) and r.id = d.request_id and f.request_id = r.id and r.parent_request_id is null
        and r.amount_in > 0 and d.chain_id = r.origin_chain_id and d.currency = r.origin_currency and r.currency_in = d.currency`,
    values: [depositIds],
  })
}
