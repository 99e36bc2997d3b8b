import { sameDestination } from '@causeway/core'
import type { Destination } from '@causeway/core/chain'
import {
  type Decision,
  keptData,
  type NewPayout,
  type OpenDecision,
  type PaidOrder,
  refundTarget,
} from '@causeway/core/money-path'
import type { LaneContext } from '../laneContext.js'

/**
 * The decision that a payment found on a chain was: the fill of this order, or the refund of its deposit. Null when it is neither,
 * so that somebody must look. Throws ServiceError when the price of the fill cannot be had now.
 */
export const recognisePayment = async (lane: LaneContext, open: OpenDecision): Promise<Decision | null> => {
  const fill = open.refundReason === null ? open.paid.find((paid) => isFill(lane, open, paid)) : undefined
  if (fill !== undefined) return { kind: 'fill', open, recognised: fill, payout: await fillOf(lane, open, fill) }
  const { refundTo } = await refundTarget(lane, open.terms, open.deposit)
  const refund = open.paid.find((paid) => isRefund(lane, open, paid, refundTo))
  if (refund === undefined) return null
  return {
    kind: 'refund',
    open,
    recognised: refund,
    reason: open.refundReason ?? 'UNKNOWN',
    details: null,
    payout: {
      ...payoutOf(lane, open, refund),
      purpose: 'refund',
      fees: open.deposit.amount - refund.amount,
      data: {},
    },
  }
}

/** Whether a payment found on a chain is the fill of an order. */
export const isFill = ({ chain }: LaneContext, { terms }: Pick<OpenDecision, 'terms'>, paid: PaidOrder): boolean =>
  (paid.purpose === null || paid.purpose === 'fill') &&
  paid.chainId === terms.destination.chainId &&
  paid.currency === terms.destination.currency &&
  sameDestination(chain.adapter, paid.recipient, terms.recipient)

const isRefund = (
  { chains }: LaneContext,
  { deposit }: OpenDecision,
  paid: PaidOrder,
  refundTo: Destination | null,
): boolean =>
  (paid.purpose === null || paid.purpose === 'refund') &&
  paid.chainId === deposit.chainId &&
  paid.currency === deposit.currency &&
  paid.amount <= deposit.amount &&
  refundTo !== null &&
  sameDestination(chains.get(deposit.chainId).adapter, paid.recipient, refundTo)

/** What it kept and left over is as a fill of now would; where none would be made now, nothing is known of it. */
const fillOf = async (lane: LaneContext, open: OpenDecision, paid: PaidOrder): Promise<NewPayout> => {
  const { terms, deposit } = open
  const now = await lane.engine.reprice(terms, deposit)
  const kept = now.action === 'fill' ? now : { fees: 0n, excess: 0n }
  return {
    ...payoutOf(lane, open, paid),
    purpose: 'fill',
    fees: kept.fees,
    data: keptData(terms, kept),
  }
}

const payoutOf = ({ clock }: LaneContext, { requestId, terms, deposit }: OpenDecision, paid: PaidOrder) => ({
  depositId: deposit.id,
  requestId,
  orderId: terms.orderId,
  chainId: paid.chainId,
  signer: paid.signer,
  recipient: paid.recipient,
  currency: paid.currency,
  amount: paid.amount,
  at: clock.now(),
})
