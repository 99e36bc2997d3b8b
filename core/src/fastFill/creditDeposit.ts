import type { Pool, PoolClient } from 'pg'
import { creditedPosting } from '../ledger/fastFillPostings.js'
import { postLedger } from '../ledger/ledger.js'
import { parkMoney } from '../ledger/parkMoney.js'
import { isFirm } from '../payout/ground/payoutGround.js'
import {
  SETTLED_DEPOSIT_COLUMNS,
  type SettledDeposit,
  type SettledDepositRow,
  toSettledDeposit,
} from './settleFastFill.js'

const LIMIT = 64
const TOO_LITTLE = 'worth less than the smallest unit of the currency of balances'

/** A settled deposit that is to become balance of a wallet. */
export interface CreditedDeposit {
  readonly deposit: SettledDeposit
  readonly wallet: string
}

/** Deposits on one chain at `height` or below, where they are settled, that are to become balances. */
export const findDepositsToCredit = async (
  db: Pool | PoolClient,
  { chainId, height }: { readonly chainId: number; readonly height: bigint },
): Promise<readonly CreditedDeposit[]> => {
  const { rows } = await db.query<SettledDepositRow & { holder: string }>({
    name: 'deposits_to_credit',
    text: `select ${SETTLED_DEPOSIT_COLUMNS}, d.holder from deposits d
      where d.chain_id = $1 and d.holder is not null and d.outcome is null and ${isFirm('d')} and d.block_height <= $2
      order by d.block_height, d.id limit ${LIMIT}`,
    values: [chainId, height.toString()],
  })
  return rows.map((row) => ({ deposit: toSettledDeposit(row), wallet: row.holder }))
}

/**
 * A settled deposit becomes balance: `worth` in the currency of balances. What is worth nothing in it is parked. In the caller's
 * transaction; false where the deposit has changed, or was credited before.
 */
export const creditDeposit = async (
  client: PoolClient,
  { deposit, wallet }: CreditedDeposit,
  worth: { readonly chainId: number; readonly currency: string; readonly amount: bigint },
  now: number,
): Promise<boolean> => {
  const { id: depositId } = deposit
  await client.query('select from deposits where id = $1 for no key update', [depositId])
  const { rows } = await client.query<{ request: boolean }>(
    `select d.request_id is not null as request from deposits d
     where d.id = $1 and d.holder = $2 and d.outcome is null and d.amount = $3 and ${isFirm('d')}`,
    [depositId, wallet, deposit.amount.toString()],
  )
  const [row] = rows
  if (row === undefined) return false
  if (worth.amount <= 0n) {
    await client.query('update deposits set holder = null, parked_reason = $2 where id = $1', [
      depositId,
      row.request ? null : TOO_LITTLE,
    ])
    await parkMoney(client, { depositId, ...moneyOf(deposit) }, now)
    return true
  }
  await client.query(`update deposits set outcome = 'balance', outcome_at = to_timestamp($2 / 1000.0) where id = $1`, [
    depositId,
    now,
  ])
  await postLedger(client, [creditedPosting({ depositId, deposit: moneyOf(deposit), worth, wallet })], now)
  return true
}

const moneyOf = ({ chainId, currency, amount }: SettledDeposit) => ({ chainId, currency, amount })
