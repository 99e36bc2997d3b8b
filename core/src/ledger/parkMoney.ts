import type { PoolClient } from 'pg'
import { postLedger } from './ledger.js'
import { parkPosting, unparkPosting } from './postings.js'

/** Money of one deposit in the account `parked`, or on its way there. */
export interface ParkedMoney {
  readonly depositId: string
  readonly chainId: number
  readonly currency: string
  readonly amount: bigint
}

/** How often the money of deposits was parked, or taken out again, before; one statement. */
const countBefore = async (
  client: PoolClient,
  depositIds: readonly string[],
  event: 'parked' | 'unparked',
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await client.query<{ id: string; count: number }>({
    name: 'parkings_before',
    text: `select i.id, count(*)::int as count from unnest($1::text[]) i(id) join ledger_transactions t on t.cause = 'deposit:' || i.id
      where t.event = $2 or t.event like $2 || ':%' group by i.id`,
    values: [depositIds, event],
  })
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Parks money of deposits in the caller's transaction, whose own compare-and-set keeps that from happening twice. */
export const parkAll = async (client: PoolClient, parked: readonly ParkedMoney[], now: number): Promise<void> => {
  if (parked.length === 0) return
  const before = await countBefore(
    client,
    parked.map(({ depositId }) => depositId),
    'parked',
  )
  const postings = parked.map((money) => parkPosting({ ...money, before: before.get(money.depositId) ?? 0 }))
  await postLedger(client, postings, now)
}

/** The same for one deposit. */
export const parkMoney = (client: PoolClient, parked: ParkedMoney, now: number): Promise<void> =>
  parkAll(client, [parked], now)

/** Takes money out of `parked`, as `parkMoney` put it there. */
export const unparkMoney = async (client: PoolClient, parked: ParkedMoney, now: number): Promise<void> => {
  const before = (await countBefore(client, [parked.depositId], 'unparked')).get(parked.depositId) ?? 0
  await postLedger(client, [unparkPosting({ ...parked, before })], now)
}
