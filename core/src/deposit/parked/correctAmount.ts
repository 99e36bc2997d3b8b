import type { PoolClient } from 'pg'
import type { DepositEvent } from '../../chain/chainAdapter.js'
import { postLedger } from '../../ledger/ledger.js'
import { amountPosting } from '../../ledger/postings.js'
import type { StoredDeposit } from '../depositStore.js'
import { PARKED_AMOUNT_SQL } from './parkedDeposit.js'

/** What the books say that a deposit `d` brought into the depository. */
export const BROUGHT_SQL = `(select coalesce(sum(e.amount), 0) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
  where t.cause = 'deposit:' || d.id and e.account = 'depository')`

/** See `BROUGHT_SQL`; nothing for one that left its chain. */
export const findBrought = async (client: PoolClient, depositId: string): Promise<bigint> => {
  const { rows } = await client.query<{ brought: string }>(
    `select ${BROUGHT_SQL}::text as brought from deposits d where d.id = $1`,
    [depositId],
  )
  return BigInt(rows[0]?.brought ?? 0)
}

/**
 * The providers of a chain agree on another amount than the one that was read of a deposit at one of them (faults.md F05). Before it is
 * decided the deposit is what they say; afterwards the books alone are put right, and the difference is our loss. In the caller's
 * transaction, which holds the deposit's row. Returns by how much it brought more than was believed, less than nothing where it was less.
 */
export const correctAmount = async (
  client: PoolClient,
  deposit: StoredDeposit,
  { money, orderId }: DepositEvent,
  now: number,
): Promise<bigint> => {
  const { id, currency } = deposit
  const { rows } = await client.query<Standing>(
    `select ${BROUGHT_SQL}::text as brought, ${PARKED_AMOUNT_SQL}::text as parked, d.outcome is null as undecided, d.chain_id::text as chain_id,
       coalesce('0x' || encode(case when d.given then d.shown_order_id else d.order_id end, 'hex'), '') as shown,
       (select count(*)::int from ledger_transactions t where t.cause = 'deposit:' || d.id and t.event like 'corrected:%') as before
     from deposits d where d.id = $1 and d.state = 'included'`,
    [id],
  )
  const [row] = rows
  // Another currency or order is another deposit than this one: nobody can say what becomes of it.
  if (row === undefined || money.currency !== currency || row.shown !== (orderId ?? '')) return 0n
  const amount = money.amount - BigInt(row.brought)
  if (amount === 0n) return 0n
  if (row.undecided) await client.query('update deposits set amount = $2 where id = $1', [id, money.amount.toString()])
  const account = row.undecided ? (BigInt(row.parked) === 0n ? 'owed' : 'parked') : 'loss'
  const chainId = Number(row.chain_id)
  await postLedger(
    client,
    [amountPosting({ depositId: id, chainId, currency, amount, account, before: row.before })],
    now,
  )
  return amount
}

interface Standing {
  readonly brought: string
  readonly parked: string
  readonly undecided: boolean
  readonly chain_id: string
  readonly shown: string
  readonly before: number
}
