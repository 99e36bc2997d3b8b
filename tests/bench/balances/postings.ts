import { fillPosting, type LedgerPosting, postLedger } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import { type Contestant, percentile } from '../rounds.js'

export const DOLLAR = { chainId: 7, currency: 'usd' }
const walletOf = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`
const SPONSOR = walletOf(1)
const EARNERS = [walletOf(2), walletOf(3)]

/** Credits a wallet; the deployment's own capital is the other side. */
export const credit = (cause: string, event: string, wallet: string, amount: bigint): LedgerPosting => ({
  cause,
  event,
  entries: [
    { ...DOLLAR, account: 'capital', amount },
    { ...DOLLAR, account: 'app', amount: -amount, holder: wallet },
  ],
})

const aside = (cause: string, amount: bigint): LedgerPosting => ({
  cause,
  event: 'sponsored:0',
  entries: [
    { ...DOLLAR, account: 'app', amount, holder: SPONSOR },
    { ...DOLLAR, account: 'sponsored', amount: -amount, holder: SPONSOR },
  ],
})

const post = (pool: Pool, postings: readonly LedgerPosting[]): Promise<void> =>
  withTransaction(pool, (client) => postLedger(client, postings, Date.now()))

/** What a fill posts in its block, plain or with two earnings and a sponsor. */
const fill = (payoutId: string, withBalances: boolean): LedgerPosting =>
  fillPosting({
    payoutId,
    inclusion: 1,
    deposit: { chainId: 1, currency: 'coin', amount: 1_000n },
    excess: 0n,
    fees: 20n,
    paid: { chainId: 2, currency: 'coin', amount: 980n },
    ...(withBalances
      ? {
          earned: 10n,
          balances: {
            ...DOLLAR,
            earnings: EARNERS.map((holder) => ({ holder, amount: 5n, fromSponsor: 2n })),
            sponsor: { holder: SPONSOR, amount: 12n, rateCost: 0n },
          },
        }
      : {}),
  })

let fills = 0

/** p50 in milliseconds of the commit of a fill's posting, each of a fill of its own. */
export const timeFills =
  (pool: Pool, samples: number, withBalances: boolean): Contestant =>
  async () => {
    const times = new Float64Array(samples)
    for (let index = 0; index < samples; index += 1) {
      fills += 1
      const id = String(fills)
      if (withBalances) await post(pool, [aside(`payout:${id}`, 12n)])
      const startedAt = performance.now()
      await post(pool, [fill(id, withBalances)])
      times[index] = performance.now() - startedAt
    }
    times.sort()
    return { p50: percentile(times, 0.5) }
  }

/** Whose balance the fills need before they begin. */
export const fundSponsor = (pool: Pool): Promise<void> =>
  post(pool, [credit('capital:7:usd', 'start', SPONSOR, 10n ** 12n)])

const HOT = walletOf(10)
let crowds = 0

/** So many postings at once: all to one wallet, or each to one of its own. */
export const crowd =
  (pool: Pool, postings: number, kind: 'one' | 'debits' | 'many'): Contestant =>
  async () => {
    crowds += 1
    const run = crowds
    const sign = kind === 'debits' ? -1n : 1n
    const wallet = (number: number) => (kind === 'many' ? walletOf(1_000 + number) : HOT)
    if (kind === 'debits') await post(pool, [credit(`claim:${run}`, 'funded', HOT, BigInt(postings))])
    const before = await balanceOf(pool)
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: postings }, (_, number) =>
        post(pool, [credit(`payout:${run}${String(number).padStart(6, '0')}`, `crowd:${run}`, wallet(number), sign)]),
      ),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    const moved = (await balanceOf(pool)) - before
    if (kind !== 'many' && moved !== sign * BigInt(postings)) throw new Error(`${postings} postings moved ${moved}`)
    return { perSecond: postings / seconds }
  }

const balanceOf = async (pool: Pool): Promise<bigint> => {
  const { rows } = await pool.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from app_balances where holder = $1 and account = 'app'`,
    [HOT],
  )
  return BigInt(rows[0]?.amount ?? '0')
}
