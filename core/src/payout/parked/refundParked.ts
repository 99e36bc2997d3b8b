import type { PoolClient } from 'pg'
import { destinationText } from '../../chain/destination.js'
import { wakeLane } from '../../database/notifier.js'
import { findParkedDeposit, type ParkedDeposit } from '../../deposit/parked/parkedDeposit.js'
import { ActionRefusedError } from '../../errors/actionRefused.js'
import { unparkMoney } from '../../ledger/parkMoney.js'
import type { Hex } from '../../money/hex.js'
import { changeStatuses } from '../../request/changeStatus.js'
import { createPayouts, type DepositPayout, type NewPayout } from '../createPayouts.js'
import type { PaidOrder } from '../lane/paidOrders.js'
import { WATCHDOG_MS } from '../watchdog.js'

/** As what parked money goes back: what a fill did not need is an excess, everything else a refund. */
export const purposeOf = ({ payouts }: ParkedDeposit): 'refund' | 'excess' => {
  const fill = payouts.fill?.state
  return fill === undefined || fill === 'dead' || fill === 'abandoned' ? 'refund' : 'excess'
}

/** Why money of a deposit whose order was paid already stays: with what was found, and what can be done. */
export const paidRefusal = (id: string, [paid]: readonly PaidOrder[]): string | null =>
  paid === undefined
    ? null
    : `The order of deposit ${id} was paid already: ${paid.txId} on chain ${paid.chainId} paid ${paid.amount} units of ` +
      `${paid.currency} to ${destinationText(paid.recipient)}. Close the deposit with causeway parked close ${id} --paid-by ${paid.txId}.`

/** Why an operator may not send this deposit's parked money back now; null when nothing stands against it. */
export const refusalOf = (deposit: ParkedDeposit): string | null => {
  const purpose = purposeOf(deposit)
  const earlier = deposit.payouts[purpose]
  if (deposit.state !== 'included') return `Deposit ${deposit.id} is not on the chain now (${deposit.state}).`
  if (earlier !== undefined && earlier.state !== 'abandoned' && earlier.state !== 'dead') {
    return `Deposit ${deposit.id} is paid back already: payout ${earlier.id} (${purpose}) is ${earlier.state}.`
  }
  if (purpose === 'excess' && deposit.payouts.fill?.state !== 'final') {
    return `Deposit ${deposit.id} is being filled; wait until payout ${deposit.payouts.fill?.id} is final.`
  }
  const paid = paidRefusal(deposit.id, deposit.paid)
  if (paid !== null) return paid
  if (deposit.parked <= 0n) return `Nothing of deposit ${deposit.id} is parked.`
  if (purpose === 'refund' && deposit.request !== null && deposit.request.status !== 'failure') {
    return `Request ${deposit.request.id} is ${deposit.request.status}; only a request in failure is refunded by hand.`
  }
  return null
}

/**
 * Sends parked money back on an operator's word, in the caller's transaction: `planned` becomes a payout with the deposit as
 * its cause, so that it can never be paid twice; one that was abandoned is taken up again under its own number. The lane
 * signs, stores and broadcasts it like every other. A request in `failure` is `pending` until it is `refund` (wire.md K.2 4).
 * Throws ActionRefusedError when the deposit changed since it was planned.
 */
export const refundParked = async (client: PoolClient, planned: DepositPayout, now: number): Promise<void> => {
  const deposit = await findParkedDeposit(client, planned.depositId, { lock: true })
  if (deposit === null) throw new ActionRefusedError(`There is no deposit ${planned.depositId}.`)
  const refusal = refusalOf(deposit)
  if (refusal !== null) throw new ActionRefusedError(refusal)
  if (planned.amount + planned.fees !== deposit.parked) {
    throw new ActionRefusedError(`What is parked of deposit ${deposit.id} has changed; try again.`)
  }
  const purpose = purposeOf(deposit)
  const { id: depositId, chainId, currency, parked: amount } = deposit
  await unparkMoney(client, { depositId, chainId, currency, amount }, now)
  if (purpose === 'refund' && deposit.outcome !== 'refund') await decideRefund(client, depositId, now)
  const earlier = deposit.payouts[purpose]
  if (earlier === undefined) await createPayouts(client, [{ ...planned, purpose }], now)
  else await revive(client, earlier.id, planned, now)
  if (purpose === 'refund' && deposit.request !== null) await reopen(client, deposit.request.id, purpose, now)
}

const decideRefund = async (client: PoolClient, depositId: string, now: number): Promise<void> => {
  const ahead = await client.query(
    `select 1 from deposits d join fast_fills f on f.order_id = d.order_id where d.id = $1 and f.state in ('queued', 'filling', 'paid')`,
    [depositId],
  )
  if (ahead.rowCount !== 0)
    throw new ActionRefusedError(`The order of deposit ${depositId} is filled ahead of it: wait until that is settled.`)
  const { rowCount } = await client.query(
    `update deposits set outcome = 'refund', outcome_reason = 'MANUAL_ADMIN_REFUND', outcome_at = to_timestamp($2 / 1000.0)
     where id = $1 and outcome is distinct from 'refund' and state = 'included'`,
    [depositId, now],
  )
  if (rowCount !== 1) throw new ActionRefusedError(`Deposit ${depositId} has changed; try again.`)
}

/** A payout that was abandoned, or ended while its deposit was away, has no live generation, so it may begin again with another recipient and amount. */
const revive = async (client: PoolClient, id: string, planned: NewPayout, now: number): Promise<void> => {
  const { rowCount } = await client.query(
    `update payouts p set state = 'ready', recipient = $2, amount = $3, fees = $4, data = $5, signer = $6, details = null,
       fail_reason = null, attempts = 0, next_action = 'sign', next_action_at = to_timestamp($7 / 1000.0), updated_at = to_timestamp($7 / 1000.0)
     where id = $1 and state in ('abandoned', 'dead')
       and not exists (select 1 from payout_generations g where g.payout_id = p.id and g.state = 'live')`,
    [
      id,
      destinationText(planned.recipient),
      planned.amount.toString(),
      planned.fees.toString(),
      JSON.stringify(planned.data),
      planned.signer,
      now,
    ],
  )
  if (rowCount !== 1) throw new ActionRefusedError(`Payout ${id} may still land; it cannot be made again.`)
  await wakeLane(client, planned.chainId)
}

/** A request in failure is `pending` again until the payment of its deposit is in a block. Throws ActionRefusedError. */
export const reopen = async (
  client: PoolClient,
  requestId: Hex,
  purpose: 'fill' | 'refund',
  now: number,
): Promise<void> => {
  // The payment is being made after all; the reason it was not stays in the event of the failure.
  await client.query(
    `update requests set refund_fail_reason = null, fail_reason = case when $2 = 'fill' then null else fail_reason end
     where id = decode($1, 'hex')`,
    [requestId.slice(2), purpose],
  )
  const moved = await changeStatuses(
    client,
    [
      {
        requestId,
        to: 'pending',
        failReason: purpose === 'fill' ? null : 'MANUAL_ADMIN_REFUND',
        next: { action: 'await-payout', at: now + WATCHDOG_MS },
      },
    ],
    now,
  )
  if (!moved.has(requestId)) throw new ActionRefusedError(`Request ${requestId} is no longer in failure.`)
}
