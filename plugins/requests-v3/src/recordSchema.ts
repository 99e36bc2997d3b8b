import {
  AmountSchema,
  AmountText,
  CurrencySchema,
  failedTxFields,
  nullable,
  oneOf,
  RecordPlatformFeeSchema,
  RecordProtocolSchema,
  recordTxFields,
  routeSideFields,
  SignedAmountText,
  SponsorPaymentSchema,
  sponsorshipPhase,
  UsdText,
} from '@causeway/core/plugin'
import { type TSchema, Type } from '@sinclair/typebox'

const text = Type.String()
const nullableText = nullable(text)

const Tx = Type.Object(
  { txHash: text, feeUsd: Type.Optional(UsdText()), ...recordTxFields },
  { title: 'RecordTransaction' },
)

const appFee = { recipient: text, bps: text, amount: SignedAmountText(), amountFormatted: text }

const AppFees = Type.Object({
  quoted: Type.Array(Type.Object(appFee)),
  actual: Type.Array(Type.Object({ ...appFee, amountUsd: UsdText() })),
  currency: CurrencySchema,
})

const feeParts = (part: TSchema) =>
  Type.Object({ swap: part, execution: part, platform: part, app: part, sponsored: part })

const Fees = Type.Object({
  quoted: feeParts(Type.Object({ usd: UsdText(), amount: AmountText(), amountFormatted: text })),
  actual: nullable(feeParts(Type.Object({ usd: UsdText() }))),
  currency: CurrencySchema,
})

/** Without the currency, which stands beside it once. */
const HoistedAmount = Type.Omit(AmountSchema, ['currency'])
const sponsorship = {
  ...sponsorshipPhase('platform', HoistedAmount),
  maxSubsidizationAmount: nullable(AmountText({ description: 'The cap, millionths of a dollar' })),
}

const FeeSponsorship = Type.Object({
  quoted: Type.Object(sponsorship),
  actual: nullable(Type.Object({ ...sponsorship, sponsorPayment: SponsorPaymentSchema })),
  currency: CurrencySchema,
})

const RouteRecord = Type.Object({
  includedSwapSources: Type.Array(text),
  includedOriginSwapSources: Type.Array(text),
  includedDestinationSwapSources: Type.Array(text),
  quoted: Type.Object(routeSideFields),
  actual: Type.Object({ rate: text, ...routeSideFields }),
})

const OraclePrice = Type.Object({
  rate: text,
  observedAt: text,
  inputCurrency: AmountSchema,
  outputCurrency: AmountSchema,
})

const dataSchema = (partnerKey: string) =>
  Type.Object({
    slippageTolerance: text,
    failReason: nullableText,
    refundFailReason: nullableText,
    ...failedTxFields,
    usesExternalLiquidity: Type.Boolean(),
    timeEstimate: Type.Number({ description: 'Seconds' }),
    triggeredByFastFill: nullable(Type.Boolean()),
    inTxs: Type.Array(Tx),
    outTxs: Type.Array(Tx),
    appFees: AppFees,
    fees: Fees,
    feeSponsorship: nullable(FeeSponsorship),
    route: RouteRecord,
    quoteOraclePrice: nullable(OraclePrice),
    refundCurrencyData: nullable(AmountSchema),
    externalMetadata: Type.Object({ [partnerKey]: nullableText }),
    referrer: Type.Optional(nullable(Type.String({ description: 'Told to the owner alone' }))),
    platformFee: Type.Optional(nullable(RecordPlatformFeeSchema)),
    apiKeyName: Type.Optional(nullableText),
  })

/** A record as `GET /requests/v3` answers it (wire.md 3.1). */
export const recordSchema = (partnerKey: string) =>
  Type.Object(
    {
      id: text,
      status: oneOf('waiting', 'pending', 'depositing', 'submitted', 'success', 'failure', 'refund'),
      user: text,
      sender: text,
      recipient: text,
      refundTo: nullableText,
      depositAddress: nullable(
        Type.Object({
          address: text,
          type: oneOf('strict', 'open'),
          depositor: nullableText,
          depositTxHash: nullableText,
          recoveryAddress: nullableText,
        }),
      ),
      requestType: oneOf('Bridge', 'Crosschain Swap', 'Same-chain Swap', 'Send', 'Wrap', 'Unwrap', 'Call'),
      features: Type.Array(text),
      supersededByRequestId: nullableText,
      data: dataSchema(partnerKey),
      protocol: nullable(RecordProtocolSchema),
      createdAt: Type.String({ description: 'ISO 8601' }),
      updatedAt: Type.String({ description: 'ISO 8601' }),
    },
    { title: 'RequestRecord' },
  )

/** The answer of `GET /requests/v3`; the last page has no `continuation` (wire.md K.3 4). */
export const requestsPageSchema = (partnerKey: string) =>
  Type.Object({
    requests: Type.Array(recordSchema(partnerKey)),
    continuation: Type.Optional(text),
    total: Type.Optional(Type.Integer({ minimum: 0 })),
  })
