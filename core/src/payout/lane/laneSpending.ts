import type { Pool, PoolClient } from 'pg'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'
import type { StoredPayout } from '../payoutRecord.js'

const MINUTE_MS = 60_000
/** An hour, and the rest of the minute it began in: nothing stops counting before its hour is over. */
export const SPENDING_WINDOW_MS = 61 * MINUTE_MS
/** Older minutes are of no use and are removed. */
const KEPT_MS = 24 * 60 * MINUTE_MS

/** Most that one key may sign away in any hour, smallest unit. A currency without one has no limit. */
export interface SpendLimit {
  readonly currency: string
  readonly amount: bigint
}

/** What was signed away in one minute. */
export interface MinuteSpending {
  readonly currency: string
  /** Unix milliseconds of its begin. */
  readonly minute: number
  readonly amount: bigint
}

/** Storing attempts would pass a limit; nothing was stored. */
export class SpendLimitError extends Error {
  override readonly name = 'SpendLimitError'
  constructor(lane: { readonly chainId: number; readonly signer: string }, currency: string) {
    super(`The hourly limit of ${lane.signer} on chain ${lane.chainId} for ${currency} would be passed.`)
  }
}

/** An amount of one currency that a signature gives away. */
export interface Spend {
  readonly currency: string
  readonly amount: bigint
}

/**
 * What the first signature of a payout gives away: the payment, native currency beside it, and the most its transaction can
 * cost. A withdrawal pays nothing away but that.
 */
export const spendsOf = (
  { purpose, currency, amount, data }: Pick<StoredPayout, 'purpose' | 'currency' | 'amount' | 'data'>,
  { native, feeCap }: { readonly native: string; readonly feeCap: bigint },
): readonly Spend[] => [
  { currency, amount: isSpending(purpose) ? amount : 0n },
  { currency: native, amount: feeCap + BigInt(data.topup?.amount ?? '0') },
]

/** Purposes that give money away; the others bring it to the operator's own wallet, or move none. */
const SPENDING: readonly PayoutPurpose[] = ['fill', 'refund', 'excess', 'claim', 'send']

const isSpending = (purpose: PayoutPurpose): boolean => SPENDING.includes(purpose)

export const limitsJson = (limits: readonly SpendLimit[]): string =>
  JSON.stringify(limits.map(({ currency, amount }) => ({ currency, amount: amount.toString() })))

/**
 * Counts what is about to be signed away. Expects `spends (currency, spent)`, $2 chain, $3 now in milliseconds, $5 signer. A
 * generation counts once, and by what its fee is raised, and still counts when it dies: what was signed could have landed.
 */
export const SPENDING_CTE = `spending as (
      insert into lane_spending (chain_id, signer, minute, currency, amount)
      select $2, $5, date_trunc('minute', to_timestamp($3 / 1000.0)), currency, sum(spent) from spends where spent > 0 group by currency
      on conflict (chain_id, signer, minute, currency) do update set amount = lane_spending.amount + excluded.amount
      returning minute, currency, amount
    ), forgotten as (
      delete from lane_spending where chain_id = $2 and signer = $5 and minute < to_timestamp(($3 - ${KEPT_MS}) / 1000.0)
    )`

/** Currencies whose limit ($6) would be passed: this minute as it is now, whoever else wrote it, and the rest of the hour. */
export const SPENT_TOO_MUCH = `select l.currency from jsonb_to_recordset($6::jsonb) as l(currency text, amount numeric)
      join spending n using (currency)
      where n.amount + (select coalesce(sum(s.amount), 0) from lane_spending s where s.chain_id = $2 and s.signer = $5
        and s.minute > to_timestamp(($3 - ${SPENDING_WINDOW_MS}) / 1000.0) and s.minute <> n.minute and s.currency = l.currency) > l.amount`

/** What a key signed away in the last hour, oldest minute first. */
export const findSpending = async (
  db: Pool | PoolClient,
  lane: { readonly chainId: number; readonly signer: string },
  now: number,
): Promise<MinuteSpending[]> => {
  const { rows } = await db.query<{ currency: string; minute: Date; amount: string }>({
    name: 'lane_spending',
    text: `select currency, minute, amount::text as amount from lane_spending
      where chain_id = $1 and signer = $2 and minute > to_timestamp($3 / 1000.0) order by minute`,
    values: [lane.chainId, lane.signer, now - SPENDING_WINDOW_MS],
  })
  return rows.map(({ currency, minute, amount }) => ({ currency, minute: minute.getTime(), amount: BigInt(amount) }))
}

/** Unsigned payouts that do not fit under a limit wait until `at`, Unix milliseconds; one statement. */
export const awaitLimit = async (
  db: Pool | PoolClient,
  held: readonly { readonly payout: Pick<StoredPayout, 'id'>; readonly at: number }[],
  now: number,
): Promise<void> => {
  const rows = held.map(({ payout, at }) => ({ id: payout.id, at }))
  await db.query({
    name: 'payouts_over_limit',
    text: `update payouts p set next_action = 'await-limit', next_action_at = to_timestamp(h.at / 1000.0), attempts = p.attempts + 1,
          updated_at = to_timestamp($2 / 1000.0)
        from jsonb_to_recordset($1::jsonb) as h(id bigint, at bigint) where p.id = h.id and p.state = 'ready'`,
    values: [JSON.stringify(rows), now],
  })
}

/** Sum of one currency. */
export const spentOf = (spending: readonly MinuteSpending[], currency: string): bigint =>
  spending.reduce((sum, item) => (item.currency === currency ? sum + item.amount : sum), 0n)

/**
 * When `amount` more fits under the limit, in Unix milliseconds; `now` when it does at once, null when it is more than the
 * limit itself.
 */
export const fitsAt = (
  spending: readonly MinuteSpending[],
  limit: SpendLimit,
  amount: bigint,
  now: number,
): number | null => {
  if (amount > limit.amount) return null
  let over = spentOf(spending, limit.currency) + amount - limit.amount
  if (over <= 0n) return now
  for (const item of spending) {
    if (item.currency !== limit.currency) continue
    over -= item.amount
    if (over <= 0n) return Math.max(now, item.minute + SPENDING_WINDOW_MS)
  }
  return now + SPENDING_WINDOW_MS
}
