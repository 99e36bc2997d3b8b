import {
  executionOf,
  failedTx,
  quotedAt,
  quotedEnds,
  type RecordContext,
  type RecordFacts,
  type RecordParts,
  type RecordTxJson,
  recordAppFees,
  recordFees,
  recordPartner,
  recordParts,
  recordProtocol,
  recordRefund,
  recordRoute,
  recordTransactions,
} from '@causeway/core/plugin'
import { currencyId, type RecordView } from './recordView.js'
import { v2AppFees, v2Fees, v2PriceImpact } from './v2Fees.js'
import { v2Metadata } from './v2Metadata.js'
import { v2Sponsorship, v2Subsidy } from './v2Sponsorship.js'

const ENDED: readonly RecordFacts['status'][] = ['success', 'failure', 'refund']

/** A record of version 2 never says `depositing` or `submitted` (wire.md K.3 6). */
const v2Status = (status: RecordFacts['status']) =>
  status === 'depositing' || status === 'submitted' ? 'pending' : status

const v2Tx = ({ txHash, feeUsd: _feeUsd, ...tx }: RecordTxJson) => ({ hash: txHash, ...tx })

/** The order; who does not own an unfinished request is not told what it pays out (wire.md 3.2). */
const orderOf = ({ order, status }: RecordFacts, { owned }: RecordView) => {
  if (order === null || owned || ENDED.includes(status)) return order
  const { output: _output, ...rest } = order
  return rest
}

const dataOf = (parts: RecordParts, view: RecordView) => {
  const { facts } = parts
  const route = recordRoute(parts)
  const fees = recordFees(parts, route)
  const appFees = recordAppFees(parts)
  const { inTxs, outTxs } = recordTransactions(parts)
  const { currency: feeCurrencyObject, ...amounts } = v2Fees(parts, fees)
  const { currencyIn, currencyOut } = quotedEnds(parts)
  const currencyObject = currencyIn.currency
  const timeEstimate = quotedAt(facts, 'details.timeEstimate')
  return {
    failReason: facts.failReason ?? 'N/A',
    refundFailReason: facts.refundFailReason ?? 'N/A',
    ...failedTx(facts),
    ...v2Subsidy(parts, view),
    price: currencyOut.amount,
    currency: currencyId(currencyObject, parts),
    currencyObject,
    feeCurrency: currencyId(feeCurrencyObject, parts),
    feeCurrencyObject,
    appFeeCurrencyObject: appFees.currency,
    ...amounts,
    ...v2AppFees(parts, appFees, view),
    expandedPriceImpact: v2PriceImpact(fees),
    feeSponsorship: v2Sponsorship(parts),
    inTxs: inTxs.map(v2Tx),
    outTxs: outTxs.map(v2Tx),
    refundCurrencyData: recordRefund(parts),
    usesExternalLiquidity: false,
    timeEstimate: typeof timeEstimate === 'number' ? timeEstimate : 0,
    metadata: v2Metadata(parts, route, view),
    supersededByRequestId: facts.supersededBy,
    ...(view.authenticated && view.owned ? { platformFee: quotedAt(facts, 'platformFee') ?? null } : {}),
  }
}

/** The record of a request as version 2 shows it (wire.md 3.2, K.3 6); pure. */
export const buildV2Record = (facts: RecordFacts, context: RecordContext, view: RecordView) => ({
  id: facts.id,
  status: v2Status(facts.status),
  user: facts.user,
  recipient: facts.recipient,
  depositAddress: facts.depositAddress,
  [context.partnerKey]: recordPartner(facts, context),
  ...(view.authenticated && view.owned ? { referrer: facts.referrer } : {}),
  ...(view.orderData ? { orderData: orderOf(facts, view) } : {}),
  data: dataOf(recordParts(facts, context), view),
  protocol: recordProtocol(facts, context, executionOf(facts)),
  createdAt: new Date(facts.createdAt).toISOString(),
  updatedAt: new Date(facts.updatedAt).toISOString(),
})
