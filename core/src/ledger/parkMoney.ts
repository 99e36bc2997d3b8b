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

/** How often a deposit's money was parked, or taken out again, before. */
const countBefore = async (client: PoolClient, depositId: string, event: 'parked' | 'unparked'): Promise<number> => {
  const { rows } = await client.query<{ count: number }>({
    name: 'parkings_before',
    text: `select count(*)::int as count from ledger_transactions where cause = 'deposit:' || $1 and (event = $2 or event like $2 || ':%')`,
    values: [depositId, event],
  })
  return rows[0]?.count ?? 0
}

/** Parks money in the caller's transaction, whose own compare-and-set keeps that from happening twice. */
export const parkMoney = async (client: PoolClient, parked: ParkedMoney, now: number): Promise<void> => {
  const before = await countBefore(client, parked.depositId, 'parked')
  await postLedger(client, [parkPosting({ ...parked, before })], now)
}

/** Takes money out of `parked`, as `parkMoney` put it there. */
export const unparkMoney = async (client: PoolClient, parked: ParkedMoney, now: number): Promise<void> => {
  const before = await countBefore(client, parked.depositId, 'unparked')
  await postLedger(client, [unparkPosting({ ...parked, before })], now)
}
