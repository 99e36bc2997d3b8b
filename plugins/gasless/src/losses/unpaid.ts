import type { DatabaseClient, Usd } from '@causeway/core/plugin'

/** Transactions of a day ago whose deposit never arrived count no longer. */
const DAY_MS = 86_400_000

/** Amounts that routes of a caller or owner were charged, US dollars. */
export interface UnpaidOf {
  /** Of transactions without a deposit. */
  readonly open: Usd
  /** Of those whose deposit arrived, in the days that are kept. */
  readonly paid: Usd
}

export const findUnpaid = async (client: DatabaseClient, holder: string, now: number): Promise<UnpaidOf> => {
  const { rows } = await client.query<{ open: string; paid: string }>({
    name: 'relay_unpaid',
    text: `select (select coalesce(sum(usd), 0) from gasless_expected
          where (api_key_id = $2 or owner = $2) and created_at > to_timestamp(($1::bigint - ${DAY_MS}) / 1000.0))::text as open,
        (select coalesce(sum(paid), 0) from gasless_losses where api_key_id = $2)::text as paid`,
    values: [now, holder],
  })
  const [row] = rows
  return { open: BigInt(row?.open ?? 0), paid: BigInt(row?.paid ?? 0) }
}

/** Of all callers together for whom no operator vouches: the part that each has open beyond what it paid. */
export const findUnpaidOfAll = async (client: DatabaseClient, now: number): Promise<Usd> => {
  const { rows } = await client.query<{ open: string }>({
    name: 'relay_unpaid_of_all',
    text: `with open as (
        select api_key_id as caller, sum(usd) as usd from gasless_expected
          where not trusted and created_at > to_timestamp(($1::bigint - ${DAY_MS}) / 1000.0) group by 1
      )
      select coalesce(sum(greatest(o.usd - coalesce((select sum(l.paid) from gasless_losses l where l.api_key_id = o.caller), 0), 0)), 0)::text
        as open from open o`,
    values: [now],
  })
  return BigInt(rows[0]?.open ?? 0)
}
