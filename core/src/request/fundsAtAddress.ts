import type { Pool } from 'pg'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'

/** Money that lies at the address of a request that waits, on one chain. */
export interface LyingMoney {
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
  /** A later look did not find it; it sees only what the solver holds. */
  readonly isStale: boolean
}

/** Amounts that arrived at the address of a waiting request, and the amount that it waits for. */
export interface FundsAtAddress {
  readonly lies: readonly LyingMoney[]
  /** Why it stays there, when a look said so. */
  readonly trouble: string | null
  /** Unix milliseconds of the last reindex; null: none. */
  readonly reindexedAt: number | null
  readonly asked: { readonly chainId: number; readonly currency: string; readonly amount: bigint }
}

type Amounts = Readonly<Record<string, string>> | null

interface Row {
  chain_id: string
  arrived: Amounts
  found: Amounts
  reindexed: Amounts
  newer: boolean
  trouble: string | null
  reindexed_at: Date | null
}

const FIND = {
  name: 'funds_at_address',
  text: `select p.chain_id::text as chain_id, p.found, p.reindexed, p.trouble, p.reindexed_at,
      p.found_at is null or p.reindexed_at >= p.found_at as newer,
      (select json_object_agg(s.currency, s.amount) from (select d.currency, sum(d.amount)::text as amount from deposit_arrivals d
        where d.address_id = p.address_id and d.chain_id = p.chain_id and d.state in ('seen', 'included') and d.taken_by is null
        group by d.currency) s) as arrived
    from deposit_addresses a join deposit_address_places p on p.address_id = a.id where a.request_id = $1 order by p.id`,
}

const moneyOf = (chainId: number, amounts: Amounts, isStale = false): LyingMoney[] =>
  Object.entries(amounts ?? {}).map(([currency, amount]) => ({ chainId, currency, amount: BigInt(amount), isStale }))

/** Amounts of the last check or reindex, else of the arrivals that were seen. */
const liesIn = ({ chain_id, arrived, found, reindexed, newer }: Row): LyingMoney[] => {
  const chainId = Number(chain_id)
  const looked = moneyOf(chainId, found)
  const known = looked.length > 0 ? looked : moneyOf(chainId, arrived)
  const names = new Set(known.map(({ currency }) => currency))
  return [...known, ...moneyOf(chainId, reindexed, !newer).filter(({ currency }) => !names.has(currency))]
}

/** Null where nothing is known to lie at an address of the request. One statement. */
export const findFundsAtAddress = async (
  pool: Pool,
  requestId: Hex,
  asked: FundsAtAddress['asked'],
): Promise<FundsAtAddress | null> => {
  const { rows } = await pool.query<Row>({ ...FIND, values: [toBytea(requestId)] })
  const lies = rows.flatMap(liesIn)
  if (lies.length === 0) return null
  return {
    lies,
    asked,
    trouble: rows.find(({ trouble }) => trouble !== null)?.trouble ?? null,
    reindexedAt: rows.find(({ reindexed_at }) => reindexed_at !== null)?.reindexed_at?.getTime() ?? null,
  }
}
