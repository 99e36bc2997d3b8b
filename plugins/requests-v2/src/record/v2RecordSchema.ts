import {
  AmountSchema,
  AmountText,
  ChainId,
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
import { DeprecationSchema } from '../deprecation.js'

const text = Type.String()
const nullableText = nullable(text)
const instant = Type.String({ description: 'ISO 8601' })
const current = { amountUsdCurrent: Type.Optional(UsdText({ description: 'At the price now' })) }

const Tx = Type.Object({ hash: text, ...recordTxFields }, { title: 'RecordTransactionV2' })

const byPart = (part: TSchema) => Type.Object({ gas: part, fixed: part, price: part, gateway: part })

const AppFees = Type.Array(
  Type.Object({ recipient: text, bps: text, amount: AmountText(), amountUsd: UsdText(), ...current }),
)

const impact = Type.Object({ usd: UsdText() })
const Impact = Type.Object({ swap: impact, execution: impact, relay: impact, app: impact, sponsored: impact })

const sponsorship = {
  ...sponsorshipPhase('relay', AmountSchema),
  maxSubsidizationAmount: Type.Optional(AmountText({ description: 'The cap, millionths of a dollar' })),
}

const FeeSponsorship = Type.Object({
  quoted: Type.Object(sponsorship),
  actual: nullable(Type.Object({ ...sponsorship, sponsorPayment: SponsorPaymentSchema })),
})

const oracleSide = Type.Object({ chainId: ChainId(), address: text, currencyId: text, decimals: Type.Integer() })

const Metadata = Type.Object({
  sender: text,
  recipient: text,
  currencyIn: AmountSchema,
  currencyOut: AmountSchema,
  currencyGasTopup: Type.Optional(AmountSchema),
  rate: text,
  route: Type.Object(routeSideFields),
  quoteOraclePrice: nullable(
    Type.Object({
      rate: text,
      inputAmount: AmountText(),
      outputAmount: AmountText(),
      observedAt: text,
      from: oracleSide,
      to: oracleSide,
    }),
  ),
})

const Data = Type.Object({
  failReason: text,
  refundFailReason: text,
  ...failedTxFields,
  subsidizedRequest: Type.Boolean(),
  subsidizedFee: Type.Object({
    origin: SponsorPaymentSchema,
    sponsor: SponsorPaymentSchema,
    amountUsd: UsdText(),
    ...current,
  }),
  price: AmountText(),
  currency: text,
  currencyObject: CurrencySchema,
  feeCurrency: text,
  feeCurrencyObject: CurrencySchema,
  appFeeCurrencyObject: CurrencySchema,
  fees: byPart(SignedAmountText()),
  feesUsd: byPart(UsdText()),
  appFees: AppFees,
  paidAppFees: AppFees,
  expandedPriceImpact: Type.Object({ quoted: Impact, actual: nullable(Impact) }),
  feeSponsorship: nullable(FeeSponsorship),
  inTxs: Type.Array(Tx),
  outTxs: Type.Array(Tx),
  refundCurrencyData: nullable(AmountSchema),
  usesExternalLiquidity: Type.Boolean(),
  timeEstimate: Type.Number({ description: 'Seconds' }),
  metadata: Metadata,
  supersededByRequestId: nullableText,
  platformFee: Type.Optional(nullable(RecordPlatformFeeSchema)),
})

/** A record as `GET /requests/v2` answers it (wire.md 3.2). */
export const v2RecordSchema = (partnerKey: string) =>
  Type.Object(
    {
      id: text,
      status: oneOf('waiting', 'pending', 'success', 'failure', 'refund'),
      user: text,
      recipient: text,
      depositAddress: nullableText,
      [partnerKey]: nullableText,
      referrer: Type.Optional(nullable(Type.String({ description: 'Told to the owner alone' }))),
      orderData: Type.Optional(nullable(Type.Object({}))),
      data: Data,
      protocol: nullable(RecordProtocolSchema),
      createdAt: instant,
      updatedAt: instant,
    },
    { title: 'RequestRecordV2' },
  )

/** The answer of `GET /requests/v2`; the last page has no `continuation`. */
export const v2PageSchema = (partnerKey: string) =>
  Type.Object({
    requests: Type.Array(v2RecordSchema(partnerKey)),
    continuation: Type.Optional(text),
    deprecation: DeprecationSchema,
  })
