import type { Pool, PoolClient } from 'pg'
import { toBytea } from '../../database/hexBytea.js'
import type { ParkedDeposit } from '../../deposit/parked/parkedDeposit.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import type { Hex } from '../../money/hex.js'
import { planClosing } from './closeAsPaid.js'

/** A parked deposit that can be closed without a choice, by the one transaction that paid its order. */
export interface ProvenClosing {
  readonly deposit: ParkedDeposit
  readonly txId: string
}

/** Parked deposits that are proven paid, and the reason why an operator must choose for the others. */
export interface ProvenClosings {
  readonly proven: readonly ProvenClosing[]
  readonly open: readonly { readonly deposit: ParkedDeposit; readonly why: string }[]
}

/**
 * Finds the parked deposits that are proven paid: one transaction paid exactly this order, and no other deposit waits for that
 * transaction. Deposits without any payment are in neither list.
 */
export const findProvenClosings = async (
  db: Pool | PoolClient,
  deposits: readonly ParkedDeposit[],
): Promise<ProvenClosings> => {
  const paid = deposits.filter((deposit) => deposit.paid.length > 0)
  const ordersOf = await ordersByTransaction(db, paid)
  const proven: ProvenClosing[] = []
  const open: { deposit: ParkedDeposit; why: string }[] = []
  for (const deposit of paid) {
    const why = whyNotProven(deposit, paid, ordersOf)
    const [only] = deposit.paid
    if (why === null && only !== undefined) proven.push({ deposit, txId: only.txId })
    else open.push({ deposit, why: why ?? 'nothing paid it' })
  }
  return { proven, open }
}

/** Order ids that each transaction paid, by its id. */
const ordersByTransaction = async (
  db: Pool | PoolClient,
  deposits: readonly ParkedDeposit[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const txIds = deposits.flatMap((deposit) => deposit.paid.map(({ txId }) => txId))
  const { rows } = await db.query<{ tx_id: string; orders: string[] }>(
    `select tx_id, array_agg(encode(order_id, 'hex')) as orders from imported_transactions
     where tx_id = any($1) and order_id is not null group by tx_id`,
    [[...new Set(txIds)]],
  )
  return new Map(rows.map(({ tx_id, orders }) => [tx_id, new Set(orders)]))
}

const bare = (order: Hex): string => toBytea(order).toString('hex')

const whyNotProven = (
  deposit: ParkedDeposit,
  all: readonly ParkedDeposit[],
  ordersOf: ReadonlyMap<string, ReadonlySet<string>>,
): string | null => {
  const [only] = deposit.paid
  if (only === undefined || deposit.paid.length > 1) return 'several transactions may have paid it'
  const own = [deposit.orderId, deposit.onchainId].filter((order) => order !== null).map(bare)
  const orders = ordersOf.get(only.txId)
  if (!own.some((order) => orders?.has(order) === true)) return `${only.txId} paid an order of another id`
  const rivals = all.filter((other) => other.paid.some(({ txId, part }) => txId === only.txId && part === only.part))
  if (rivals.length > 1) return `${rivals.length} deposits wait for ${only.txId}`
  try {
    planClosing(deposit, only.txId)
    return null
  } catch (error) {
    if (error instanceof ActionRefusedError) return error.message
    throw error
  }
}
