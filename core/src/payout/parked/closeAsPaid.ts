import type { PoolClient } from 'pg'
import type { PayoutPurpose } from '../../chain/laneAdapter.js'
import { toBytea } from '../../database/hexBytea.js'
import { wakeLane } from '../../database/notifier.js'
import { findParkedDeposit, type ParkedDeposit } from '../../deposit/parked/parkedDeposit.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import { unparkMoney } from '../../ledger/parkMoney.js'
import { MAY_PAY_FOR_SQL } from '../lane/laneJournal.js'
import type { PaidOrder } from '../lane/paidOrders.js'
import { type ClosingPayout, insertPayout, reviveForPayment, takePayment } from './adoptPayment.js'
import { purposeOf, reopen } from './refundParked.js'

type Closing = 'fill' | 'refund' | 'excess'

/** What a deposit is closed by. */
export interface ClosedDeposit {
  readonly purpose: Closing
  readonly payoutId: string
  readonly paid: PaidOrder
}

/**
 * Closes a deposit with a transaction that paid its order in a time this database forgot, on an operator's word and in the
 * caller's transaction (F120): the transaction becomes the payment of the deposit's fill, refund or excess, and the lane that made
 * it follows and books it like every other. Serves parked money, and a payout that is held back because of that transaction.
 * Nothing is sent. Throws ActionRefusedError when the transaction is not one that paid this order, or the deposit waits for none, or another
 * deposit may have been what an order paid that nobody knows any more.
 */
export const closeAsPaid = async (
  client: PoolClient,
  closing: {
    readonly depositId: string
    readonly txId: string
    /** Other deposits that the transaction may have paid as well; the operator says that it did not. */
    readonly insteadOf?: readonly string[]
  },
  now: number,
): Promise<ClosedDeposit> => {
  const deposit = await findParkedDeposit(client, closing.depositId, { lock: true })
  if (deposit === null) throw new ActionRefusedError(`There is no deposit ${closing.depositId}.`)
  const { purpose, paid } = planClosing(deposit, closing.txId)
  if (purpose === 'fill') await requireOwnOrder(client, deposit)
  await requireOnly(client, deposit, paid, closing.insteadOf ?? [])
  const payoutId = await preparePayout(client, deposit, purpose, paid, now)
  await takePayment(client, { payoutId, paid, fees: feesOf(deposit, purpose, paid) }, now)
  await wakeLane(client, paid.chainId)
  return { purpose, payoutId, paid }
}

/**
 * A payment under an order that was forgotten is known by its recipient alone, and others wait for one to the same: closed with the wrong
 * deposit, it would let the right one be paid again.
 */
const requireOnly = async (
  client: PoolClient,
  { id, orderId, onchainId }: ParkedDeposit,
  { chainId, signer, txId, part }: PaidOrder,
  insteadOf: readonly string[],
): Promise<void> => {
  const { rows } = await client.query<{ id: string }>(
    `select f.id::text as id from imported_transactions i cross join lateral (${MAY_PAY_FOR_SQL}) f join deposits d on d.id = f.id
     where i.chain_id = $1 and i.signer = $2 and i.tx_id = $3 and i.part = $4 and i.order_id is distinct from $5 and f.id <> $6
       and d.state = 'included' and (d.outcome is null or exists (select from payouts p where p.deposit_id = d.id and p.state = 'ready'))
     order by f.id`,
    [chainId, signer, txId, part, toBytea(orderId ?? onchainId), id],
  )
  const others = rows.map((row) => row.id).filter((other) => !insteadOf.includes(other))
  if (others.length === 0) return
  throw new ActionRefusedError(
    `${txId} paid an order that this database does not know, and may have paid deposit ${others.join(', ')} instead of ${id}. Compare the amounts, and close the right one with --instead-of ${others.join(',')}, which says that the others were not paid by it.`,
  )
}

/** The fill of an order is that of the deposit which has the order: the one that it was closed with instead would be filled again. */
const requireOwnOrder = async (client: PoolClient, { id, orderId, request }: ParkedDeposit): Promise<void> => {
  if (orderId === null) return
  const { rows } = await client.query<{ holder: string | null }>(
    `select o.consumed_by::text as holder from orders o where o.order_id = $1
     union all select null from quote_rows q where q.order_id = $1 and $2`,
    [toBytea(orderId), request === null],
  )
  const [known] = rows
  if (known === undefined || known.holder === id || (known.holder === null && request !== null)) return
  const holder = known.holder === null ? 'the deposit that its quote waits for' : `deposit ${known.holder}`
  throw new ActionRefusedError(
    `Order ${orderId} is not that of deposit ${id} but of ${holder}: its fill closes that one.`,
  )
}

/** What closing would do, for showing it first. Throws ActionRefusedError as `closeAsPaid` does. */
export const planClosing = (
  deposit: ParkedDeposit,
  txId: string,
): { readonly purpose: Closing; readonly paid: PaidOrder } => {
  const paid = deposit.paid.find((item) => item.txId === txId)
  if (paid === undefined) throw new ActionRefusedError(unknownText(deposit, txId))
  if (deposit.state !== 'included') {
    throw new ActionRefusedError(`Deposit ${deposit.id} is not on the chain now (${deposit.state}).`)
  }
  const purpose = closingOf(deposit, paid)
  const refusal = refusalOf(deposit, purpose, paid)
  if (refusal !== null) throw new ActionRefusedError(refusal)
  return { purpose, paid }
}

const unknownText = (deposit: ParkedDeposit, txId: string): string => {
  const known = deposit.paid.map((item) => item.txId).join(', ')
  return known === ''
    ? `No transaction of a payout key that pays the order of deposit ${deposit.id} was found, ${txId} neither.`
    : `${txId} is not known to pay the order of deposit ${deposit.id}; these are: ${known}.`
}

/** The payout that waits unsigned because something paid its order. */
const heldBack = ({ payouts }: ParkedDeposit): { readonly purpose: PayoutPurpose; readonly id: string } | null => {
  const purposes = ['fill', 'refund', 'excess'] as const
  const purpose = purposes.find((item) => payouts[item]?.state === 'ready')
  const held = purpose === undefined ? undefined : payouts[purpose]
  return purpose === undefined || held === undefined ? null : { purpose, id: held.id }
}

/** What goes back to where the deposit came from, in its currency and not more than it, is a refund; everything else a fill. */
const closingOf = (deposit: ParkedDeposit, paid: PaidOrder): Closing => {
  if (paid.purpose === 'excess' || paid.purpose === 'fill' || paid.purpose === 'refund') return paid.purpose
  const back = paid.chainId === deposit.chainId && paid.currency === deposit.currency && paid.amount <= deposit.amount
  if (!back) return 'fill'
  const held = heldBack(deposit)?.purpose
  if (held === 'excess') return 'excess'
  return deposit.parked > 0n && purposeOf(deposit) === 'excess' ? 'excess' : 'refund'
}

const refusalOf = (deposit: ParkedDeposit, purpose: Closing, paid: PaidOrder): string | null => {
  const { id } = deposit
  const held = heldBack(deposit)
  const earlier = deposit.payouts[purpose]
  if (held === null && deposit.parked <= 0n)
    return `Nothing of deposit ${id} is parked, and no payment of it is held back.`
  if (purpose !== 'fill' && (paid.chainId !== deposit.chainId || paid.currency !== deposit.currency)) {
    return `${paid.txId} paid ${purpose === 'refund' ? 'a refund' : 'an excess'} on another chain or in another currency than deposit ${id}: it is that of another deposit.`
  }
  if (earlier !== undefined && !['ready', 'abandoned', 'dead'].includes(earlier.state)) {
    return `Deposit ${id} has that payment already: payout ${earlier.id} (${purpose}) is ${earlier.state}.`
  }
  const isRefunded = deposit.outcome === 'refund' || deposit.payouts.refund !== undefined
  if (purpose === 'fill' && isRefunded && held?.purpose !== 'refund') {
    return `Deposit ${id} was decided to be refunded; ${paid.txId}, a fill, cannot be its payment.`
  }
  if (purpose === 'excess' && deposit.payouts.fill === undefined) {
    return `${paid.txId} paid back what a fill left over. Close deposit ${id} with its fill first.`
  }
  if (purpose === 'fill' && held === null && deposit.parked !== deposit.amount)
    return `Not all of deposit ${id} is parked.`
  if (purpose !== 'fill' && held?.purpose !== purpose && paid.amount > backOf(deposit)) {
    return `${paid.txId} paid more than what of deposit ${id} can go back.`
  }
  return null
}

/** Most of it that can go back. */
const backOf = ({ parked, amount }: ParkedDeposit): bigint => (parked > 0n ? parked : amount)

/** What was kept for the gas of sending it back; of a fill nothing is known but what it paid. */
const feesOf = (deposit: ParkedDeposit, purpose: Closing, paid: PaidOrder): bigint | null => {
  if (heldBack(deposit)?.purpose === purpose) return null
  if (purpose === 'fill') return 0n
  return backOf(deposit) - paid.amount
}

/** Brings about a payout that waits for its payment, as refunds and decisions do; returns its number. */
const preparePayout = async (
  client: PoolClient,
  deposit: ParkedDeposit,
  purpose: Closing,
  paid: PaidOrder,
  now: number,
): Promise<string> => {
  const held = heldBack(deposit)
  if (held?.purpose === purpose) return held.id
  if (held !== null) await endHeld(client, held.id, paid, now)
  if (held !== null && purpose === 'fill') await forgetRefund(client, deposit)
  const { id: depositId, chainId, currency, parked: amount, request } = deposit
  if (amount > 0n) await unparkMoney(client, { depositId, chainId, currency, amount }, now)
  if (purpose !== 'excess') await setOutcome(client, depositId, purpose, now)
  const payout: ClosingPayout = {
    purpose,
    depositId,
    requestId: request?.id ?? null,
    orderId: deposit.orderId ?? deposit.onchainId,
    paid,
  }
  const earlier = deposit.payouts[purpose]
  const id =
    earlier === undefined ? await insertPayout(client, payout, now) : await reviveForPayment(client, earlier.id, now)
  if (request?.status === 'failure' && purpose !== 'excess') await reopen(client, request.id, purpose, now)
  return id
}

/** A fill or refund that was never sent ends: what it was for was paid otherwise. */
const endHeld = async (client: PoolClient, id: string, paid: PaidOrder, now: number): Promise<void> => {
  const { rowCount } = await client.query(
    `update payouts set state = 'dead', details = $2, next_action = null, next_action_at = null,
       updated_at = to_timestamp($3 / 1000.0) where id = $1 and state = 'ready' and purpose in ('fill', 'refund')`,
    [id, `its order was paid by ${paid.txId}`, now],
  )
  if (rowCount !== 1) throw new ActionRefusedError(`Payout ${id} is another payment than ${paid.txId}.`)
}

/** What was to be sent back was paid out: nobody is to read why it failed. */
const forgetRefund = async (client: PoolClient, { request }: ParkedDeposit): Promise<void> => {
  if (request === null) return
  await client.query('update requests set fail_reason = null, refund_fail_reason = null where id = $1', [
    toBytea(request.id),
  ])
}

const setOutcome = async (
  client: PoolClient,
  depositId: string,
  outcome: 'fill' | 'refund',
  now: number,
): Promise<void> => {
  await client.query(
    `update deposits set outcome = $2, outcome_reason = case when $2 = 'refund' then 'MANUAL_ADMIN_REFUND' end,
       outcome_at = to_timestamp($3 / 1000.0) where id = $1 and outcome is distinct from $2`,
    [depositId, outcome, now],
  )
}
