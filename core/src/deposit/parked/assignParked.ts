import type { PoolClient } from 'pg'
import { locatorMember } from '../../chain/txLocator.js'
import { toBytea } from '../../database/hexBytea.js'
import { wakeLane } from '../../database/notifier.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import { isFilledAhead } from '../../fastFill/holdFastFills.js'
import { unparkMoney } from '../../ledger/parkMoney.js'
import type { Hex } from '../../money/hex.js'
import { isPaid } from '../../payout/lane/paidOrders.js'
import { paidRefusal } from '../../payout/parked/refundParked.js'
import { parseTerms, type QuoteTerms } from '../../quote/quoteTerms.js'
import { changeStatuses } from '../../request/changeStatus.js'
import { consumeOrders, insertRequests } from '../../request/insertRequests.js'
import { type RequestTx, saveRequestTxs } from '../../request/requestTxs.js'
import { judgeMoney } from '../classifyDeposit.js'
import { findParkedDeposit, type ParkedDeposit } from './parkedDeposit.js'

const findTerms = async (client: PoolClient, requestId: Hex): Promise<QuoteTerms | null> => {
  const { rows } = await client.query<{ terms: string }>(
    `select terms from (
       select terms, 0 as preference from requests where id = $1 and parent_request_id is null
       union all select terms, 1 from quotes where id = $1
     ) found order by preference limit 1`,
    [toBytea(requestId)],
  )
  return rows[0] === undefined ? null : parseTerms(rows[0].terms)
}

/** Why the deposit cannot be assigned; null when it can. */
const refusalOf = (deposit: ParkedDeposit): string | null => {
  if (deposit.request !== null) return `Deposit ${deposit.id} belongs to request ${deposit.request.id}.`
  if (deposit.state !== 'included') return `Deposit ${deposit.id} is not on the chain now (${deposit.state}).`
  if (deposit.outcome !== null) return `Deposit ${deposit.id} is being refunded.`
  if (deposit.parked !== deposit.amount) return `Not all of deposit ${deposit.id} is parked.`
  return paidRefusal(deposit.id, deposit.paid)
}

/**
 * Gives a parked deposit to a quote, or to a request that waits for one, in the caller's transaction. The rules are those of
 * a deposit that carried the order id itself (architecture.md 3, Cardinality): right chain and currency, enough, order still free.
 * What follows, fill or refund, is decided by the solver. Throws ActionRefusedError.
 */
export const assignParked = async (
  client: PoolClient,
  assignment: { readonly depositId: string; readonly requestId: Hex },
  now: number,
): Promise<void> => {
  const deposit = await findParkedDeposit(client, assignment.depositId, { lock: true })
  if (deposit === null) throw new ActionRefusedError(`There is no deposit ${assignment.depositId}.`)
  const refusal = refusalOf(deposit)
  if (refusal !== null) throw new ActionRefusedError(refusal)
  const terms = await findTerms(client, assignment.requestId)
  if (terms === null) throw new ActionRefusedError(`There is no quote or request ${assignment.requestId}.`)
  if (terms.orderDeadline * 1000 <= now) {
    throw new ActionRefusedError(`The order of ${assignment.requestId} has expired; refund the deposit instead.`)
  }
  const unfit = judgeMoney({ chainId: deposit.chainId, money: deposit }, terms)
  if (unfit !== null)
    throw new ActionRefusedError(`Deposit ${deposit.id} does not fit ${assignment.requestId}: ${unfit}.`)
  await assign(client, deposit, terms, now)
}

const assign = async (client: PoolClient, deposit: ParkedDeposit, terms: QuoteTerms, now: number): Promise<void> => {
  const { requestId, orderId } = terms
  const { rows } = await client.query<{ paid: boolean }>(`select ${isPaid('$1')} as paid`, [toBytea(orderId)])
  if (rows[0]?.paid === true) throw new ActionRefusedError(`The order of ${requestId} was paid already.`)
  if (await isFilledAhead(client, requestId))
    throw new ActionRefusedError(`The order of ${requestId} is filled ahead of its deposit.`)
  await insertRequests(client, [{ terms, parent: null, refundReason: null }], now)
  await consumeOrders(client, [{ orderId, depositId: deposit.id }])
  const taken = await client.query('select 1 from orders where order_id = $1 and consumed_by = $2', [
    toBytea(orderId),
    deposit.id,
  ])
  if (taken.rowCount === 0) throw new ActionRefusedError(`The order of ${requestId} was consumed by another deposit.`)
  await client.query(
    `update deposits set request_id = $2, shown_order_id = order_id, given = true, order_id = $3, parked_reason = null
     where id = $1 and request_id is null`,
    [deposit.id, toBytea(requestId), toBytea(orderId)],
  )
  const { id: depositId, chainId, currency, amount } = deposit
  await unparkMoney(client, { depositId, chainId, currency, amount }, now)
  await saveRequestTxs(client, [toInTx(deposit, requestId)], now)
  const moved = await changeStatuses(client, [{ requestId, to: 'pending', next: { action: 'decide', at: now } }], now)
  if (!moved.has(requestId)) throw new ActionRefusedError(`Request ${requestId} does not wait for a deposit.`)
  await wakeLane(client, terms.destination.chainId)
}

/** The record's entry; what the transaction called is known to the chain alone. */
const toInTx = (deposit: ParkedDeposit, requestId: Hex): RequestTx => ({
  requestId,
  direction: 'in',
  purpose: 'deposit',
  chainId: deposit.chainId,
  txId: deposit.txId,
  ...locatorMember(deposit),
  position: deposit.position,
  block: deposit.block,
  fee: null,
  status: 'success',
  data: null,
  reorg: null,
})
