import type { Pool, PoolClient } from 'pg'
import type { AccountSumsAt, KeptSums, PartSum } from '../../chain/address/keptSums.js'
import { withTransaction } from '../../database/pool.js'

interface Row {
  since: string
  height: string
  moved: string
  sums: [string, string, string][]
}

/** Sums of accounts that deposit addresses share, in PostgreSQL: a row for each part where something lies. */
export class SqlKeptSums implements KeptSums {
  readonly #pool: Pool

  constructor(pool: Pool) {
    this.#pool = pool
  }

  async load(chainId: number, account: string): Promise<AccountSumsAt | null> {
    const { rows } = await this.#pool.query<Row>(
      `select since::text as since, height::text as height, moved::text as moved,
         (select coalesce(json_agg(json_build_array(p.part, p.currency, p.amount::text)), '[]') from account_part_sums p
          where p.chain_id = a.chain_id and p.account = a.account) as sums
       from account_sums a where chain_id = $1 and account = $2`,
      [chainId, account],
    )
    const [row] = rows
    if (row === undefined) return null
    const sums = row.sums.map(([part, currency, amount]) => ({ part, currency, amount: BigInt(amount) }))
    return { since: BigInt(row.since), height: BigInt(row.height), moved: BigInt(row.moved), sums }
  }

  save(chainId: number, account: string, changed: AccountSumsAt, after: bigint | null): Promise<boolean> {
    const key = [chainId, account] as const
    return withTransaction(this.#pool, async (client) => {
      if (!(await moveOn(client, key, changed, after))) return false
      if (after === null)
        await client.query('delete from account_part_sums where chain_id = $1 and account = $2', [...key])
      await saveSums(client, key, changed.sums)
      return true
    })
  }
}

type Key = readonly [chainId: number, account: string]

const moveOn = async (
  client: PoolClient,
  key: Key,
  { since, height, moved }: AccountSumsAt,
  after: bigint | null,
): Promise<boolean> => {
  const place = [...key, since, height, moved].map(String)
  const { rowCount } =
    after === null
      ? await client.query(
          `insert into account_sums (chain_id, account, since, height, moved) values ($1, $2, $3, $4, $5)
           on conflict (chain_id, account) do update set since = excluded.since, height = excluded.height, moved = excluded.moved`,
          place,
        )
      : await client.query(
          `update account_sums set since = $3, height = $4, moved = $5
           where chain_id = $1 and account = $2 and height between $6 and $4`,
          [...place, after.toString()],
        )
  return rowCount === 1
}

const saveSums = async (client: PoolClient, key: Key, sums: readonly PartSum[]): Promise<void> => {
  if (sums.length === 0) return
  const rows = sums.map(({ part, currency, amount }) => ({ part, currency, amount: amount.toString() }))
  const values = [...key, JSON.stringify(rows)]
  await client.query(
    `delete from account_part_sums p using jsonb_to_recordset($3::jsonb) as c(part text, currency text, amount numeric)
     where p.chain_id = $1 and p.account = $2 and p.part = c.part and p.currency = c.currency and c.amount = 0`,
    values,
  )
  await client.query(
    `insert into account_part_sums (chain_id, account, part, currency, amount)
     select $1, $2, c.part, c.currency, c.amount from jsonb_to_recordset($3::jsonb) as c(part text, currency text, amount numeric)
     where c.amount > 0
     on conflict (chain_id, account, part, currency) do update set amount = excluded.amount`,
    values,
  )
}
