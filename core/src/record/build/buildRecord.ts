import type { Json } from '../../chain/json.js'
import type { AmountJson } from '../../http/openapi/sharedSchemas.js'
import type { RequestStatus } from '../../request/requestStatus.js'
import type { RecordFacts } from '../recordFacts.js'
import { quotedAt, quotedText } from './quotedFacts.js'
import { type RecordAppFeesJson, recordAppFees } from './recordAppFees.js'
import type { RecordContext } from './recordContext.js'
import { executionOf } from './recordExecution.js'
import { type RecordFeesJson, recordFees } from './recordFees.js'
import { RecordMoney } from './recordMoney.js'
import { type RecordProtocolJson, recordProtocol } from './recordProtocol.js'
import { type RecordParts, type RecordRouteJson, recordRoute } from './recordRoute.js'
import { type RecordSponsorshipJson, recordSponsorship, recordSponsorshipJson } from './recordSponsorship.js'
import { type FailedTxJson, failedTx, type RecordTxJson, recordTransactions } from './recordTransactions.js'

/** `depositAddress` of a record (wire.md 3.1). */
export interface RecordDepositAddressJson {
  readonly address: string
  readonly type: 'strict' | 'open'
  readonly depositor: string | null
  readonly depositTxHash: string | null
  readonly recoveryAddress: string | null
}

/** `data` of a record without the owner's fields. */
export interface RecordDataJson extends FailedTxJson {
  readonly slippageTolerance: string
  readonly failReason: string | null
  readonly refundFailReason: string | null
  readonly usesExternalLiquidity: boolean
  readonly timeEstimate: number
  readonly triggeredByFastFill: boolean | null
  readonly inTxs: readonly RecordTxJson[]
  readonly outTxs: readonly RecordTxJson[]
  readonly appFees: RecordAppFeesJson
  readonly fees: RecordFeesJson
  readonly feeSponsorship: RecordSponsorshipJson | null
  readonly route: RecordRouteJson
  readonly quoteOraclePrice: Json
  readonly refundCurrencyData: AmountJson | null
  readonly externalMetadata: Readonly<Record<string, string | null>>
}

/** The record of a request as anyone may read it (wire.md 3.1). */
export interface RecordJson {
  readonly id: string
  readonly status: RequestStatus
  readonly user: string
  readonly sender: string
  readonly recipient: string
  readonly refundTo: string | null
  readonly depositAddress: RecordDepositAddressJson | null
  readonly requestType: string
  readonly features: readonly string[]
  readonly supersededByRequestId: string | null
  readonly data: RecordDataJson
  readonly protocol: RecordProtocolJson | null
  /** ISO 8601. */
  readonly createdAt: string
  readonly updatedAt: string
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

/** The parts of a record, shared by its versions. */
export const recordParts = (facts: RecordFacts, context: RecordContext): RecordParts => ({
  facts,
  context,
  money: new RecordMoney(facts, context),
  execution: executionOf(facts),
})

/** `depositAddress`; the hash is that of the user's transfer into it, not of the sweep (wire.md E.4). */
export const recordDepositAddress = (facts: RecordFacts): RecordDepositAddressJson | null =>
  facts.depositAddress === null
    ? null
    : {
        address: facts.depositAddress,
        type: facts.terms.address?.type ?? 'open',
        depositor: facts.depositor,
        depositTxHash: facts.transferTx,
        recoveryAddress: facts.recoveryAddress,
      }

/** The partner identifier under its configured name (wire.md K.3 7); null when none was set. */
export const recordPartner = (facts: RecordFacts, { partnerKey }: RecordContext): string | null => {
  // Set before anything was paid, it came along with the quote.
  const stored = facts.externalMetadata ?? quotedAt(facts, 'externalMetadata')
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null
  return textOf((stored as { readonly [name: string]: Json })[partnerKey])
}

/** A request whose quote is not kept says what its terms tell: the type is never empty (wire.md K.3 2). */
export const recordType = ({ requestType, terms }: RecordFacts): string => {
  if (requestType !== '') return requestType
  if (terms.calls !== undefined) return 'Call'
  if (terms.origin.chainId === terms.destination.chainId) return 'Same-chain Swap'
  return terms.prices === undefined && terms.swap === undefined ? 'Bridge' : 'Crosschain Swap'
}

const timeEstimate = (facts: RecordFacts): number => {
  const seconds = quotedAt(facts, 'details.timeEstimate')
  return typeof seconds === 'number' ? seconds : 0
}

/** Amount that a refund delivered; null without a refund. */
export const recordRefund = ({ facts, execution, money }: RecordParts): AmountJson | null => {
  const refund = execution.refunded.find(({ purpose }) => purpose === 'refund')
  return refund === undefined ? null : money.amount(refund.chainId, refund.currency, facts.refunded ?? refund.amount)
}

const dataOf = (parts: RecordParts): RecordDataJson => {
  const { facts, context } = parts
  const route = recordRoute(parts)
  const sponsorship = recordSponsorship(parts)
  return {
    slippageTolerance: quotedText(facts, 'details.slippageTolerance.total') ?? '0',
    failReason: facts.failReason,
    refundFailReason: facts.refundFailReason,
    ...failedTx(facts),
    // Every leg is carried by the solver's own funds or a swap; there is no other bridge behind them.
    usesExternalLiquidity: false,
    timeEstimate: timeEstimate(facts),
    triggeredByFastFill: facts.features.includes('fast_fill') ? true : null,
    ...recordTransactions(parts),
    appFees: recordAppFees(parts),
    fees: recordFees(parts, route),
    feeSponsorship: sponsorship === null ? null : recordSponsorshipJson(sponsorship),
    route,
    quoteOraclePrice: quotedAt(facts, 'quoteOraclePrice') ?? null,
    refundCurrencyData: recordRefund(parts),
    externalMetadata: { [context.partnerKey]: recordPartner(facts, context) },
  }
}

/**
 * Builds the public record of a request from its facts; pure. Amounts are what was deposited and paid, their dollars at
 * the prices of the quote. Owner fields are added by who reads it (`ownerFields`).
 */
export const buildRecord = (facts: RecordFacts, context: RecordContext): RecordJson => {
  const depositAddress = recordDepositAddress(facts)
  return {
    id: facts.id,
    status: facts.status,
    user: facts.user,
    sender: quotedText(facts, 'details.sender') ?? facts.user,
    recipient: facts.recipient,
    refundTo: depositAddress === null ? null : facts.refundTo,
    depositAddress,
    requestType: recordType(facts),
    features: facts.features,
    supersededByRequestId: facts.supersededBy,
    data: dataOf(recordParts(facts, context)),
    protocol: recordProtocol(facts, context, executionOf(facts)),
    createdAt: new Date(facts.createdAt).toISOString(),
    updatedAt: new Date(facts.updatedAt).toISOString(),
  }
}
