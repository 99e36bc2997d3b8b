import type { Pool } from 'pg'
import { withRetries } from '../../database/pool.js'
import { type LedgerPosting, postLedger } from '../../ledger/ledger.js'

const BATCH = 200

/**
 * Frees what wallets earned by payouts that are final and whose deposits on one chain lie at `height` or below, where they are settled: from
 * then on it can be claimed, and counts as collateral. Several processes may do this at the same time. Returns how many payouts it
 * settled; where that is `BATCH` more may be due.
 */
export const settleEarnings = (
  pool: Pool,
  { chainId, height }: { readonly chainId: number; readonly height: bigint },
  now: number,
): Promise<number> =>
  withRetries(pool, async (client) => {
    const { rows } = await client.query<{ id: string; entries: EarnedRow[] | null }>({
      name: 'earnings_due',
      text: `with due as (
          select p.id from payouts p left join deposits d on d.id = p.deposit_id
          where p.earning = 'open' and p.state = 'final' and (d.state = 'included' and d.chain_id = $1 and d.block_height <= $2
            -- The collateral has paid for a deposit that never came.
            or p.deposit_id is null and exists (
              select from fast_fills f where f.payout_id = p.id and f.state = 'debited' and f.origin_chain_id = $1))
          order by p.id limit ${BATCH} for update of p skip locked
        ), settled as (
          update payouts p set earning = 'settled' from due where p.id = due.id returning p.id
        )
        select s.id::text as id, (select json_agg(json_build_object('holder', e.holder, 'chainId', e.chain_id, 'currency', e.currency,
            'amount', e.amount::text)) from (
            select e.holder, e.chain_id, e.currency, -sum(e.amount) as amount
            from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
            where t.cause = 'payout:' || s.id and e.account = 'earned' group by 1, 2, 3 having sum(e.amount) < 0) e) as entries
        from settled s order by s.id`,
      values: [chainId, height.toString()],
    })
    await postLedger(client, rows.map(settledPosting), now)
    return rows.length
  })

interface EarnedRow {
  readonly holder: string
  readonly chainId: number
  readonly currency: string
  readonly amount: string
}

const settledPosting = ({
  id,
  entries,
}: {
  readonly id: string
  readonly entries: readonly EarnedRow[] | null
}): LedgerPosting => ({
  cause: `payout:${id}`,
  event: 'settled',
  entries: (entries ?? []).flatMap(({ amount, ...money }) => [
    { ...money, account: 'earned' as const, amount: BigInt(amount) },
    { ...money, account: 'app' as const, amount: -BigInt(amount) },
  ]),
})
