import { type Static, Type } from '@sinclair/typebox'
import { AmountText, Hash32, UsdText } from '../http/openapi/amountSchema.js'
import { AmountSchema } from '../http/openapi/sharedSchemas.js'
import { nullable } from '../record/recordPartSchemas.js'
import { FeeSponsorshipSchema } from './feeSponsorship.js'

const Impact = Type.Object({ usd: UsdText(), percent: Type.String() })
const UsdPart = Type.Object({ usd: UsdText() })
const SlippagePart = Type.Object({ usd: UsdText(), value: Type.String(), percent: Type.String() })
const RouteSide = Type.Object({
  inputCurrency: AmountSchema,
  outputCurrency: AmountSchema,
  router: Type.String(),
  includedSwapSources: Type.Optional(Type.Array(Type.String())),
})

/** `fees` of a quote and a price (wire.md 1.3). */
export const QuoteFeesSchema = Type.Object(
  {
    gas: AmountSchema,
    relayer: AmountSchema,
    relayerGas: AmountSchema,
    relayerService: AmountSchema,
    app: AmountSchema,
    subsidized: AmountSchema,
  },
  { title: 'QuoteFees' },
)

const priceDetails = {
  operation: Type.String({ description: 'send, swap, wrap, unwrap or bridge' }),
  sender: Type.String(),
  recipient: Type.String(),
  currencyIn: AmountSchema,
  currencyOut: AmountSchema,
  totalImpact: Impact,
  swapImpact: Impact,
  rate: Type.String(),
  slippageTolerance: Type.Object({ total: Type.String(), origin: SlippagePart, destination: SlippagePart }),
  timeEstimate: Type.Number({ description: 'Seconds' }),
  userBalance: Type.String(),
}

/** `details` of a quote (wire.md 1.6). */
export const QuoteDetailsSchema = Type.Object(
  {
    ...priceDetails,
    refundCurrency: AmountSchema,
    expandedPriceImpact: Type.Object({
      swap: UsdPart,
      execution: UsdPart,
      relay: UsdPart,
      app: UsdPart,
      sponsored: UsdPart,
    }),
    isFixedRate: Type.Boolean({ description: 'The rate is the one that `fixedRate` asked for' }),
    fixedRateFee: Type.Optional(
      Type.Object(
        { usd: UsdText() },
        { description: 'With a fixed rate: what the user gets less than the market gives; below 0: more' },
      ),
    ),
    currencyGasTopup: Type.Optional(AmountSchema),
    route: Type.Object({
      origin: RouteSide,
      destination: Type.Optional(RouteSide),
    }),
  },
  { title: 'QuoteDetails' },
)

const Step = Type.Object(
  {
    id: Type.String(),
    action: Type.String(),
    description: Type.String(),
    kind: Type.Union([Type.Literal('transaction'), Type.Literal('signature')]),
    requestId: Hash32(),
    depositAddress: Type.Optional(
      Type.String({
        description:
          'Of the step `deposit`: where its money goes. With `useDepositAddress` an address of this quote alone, which any wallet pays',
      }),
    ),
    items: Type.Array(
      Type.Object({
        status: Type.Union([Type.Literal('incomplete'), Type.Literal('complete')]),
        data: Type.Unknown(),
        check: Type.Optional(Type.Object({ endpoint: Type.String(), method: Type.Literal('GET') })),
      }),
    ),
  },
  { title: 'Step' },
)

const PaymentDetails = Type.Object({
  chainId: Type.String(),
  depository: Type.String(),
  currency: Type.String(),
  amount: AmountText(),
})

const Protocol = Type.Object({
  v2: Type.Object({
    orderId: nullable(Hash32({ description: 'Null with `includeProtocolData` where there is no order' })),
    hubType: Type.Literal('onchain'),
    orderData: Type.Optional(Type.Unknown({ description: 'Order, version v1; null where there is none' })),
    orderSignature: Type.Optional(nullable(Type.String())),
    paymentDetails: nullable(PaymentDetails),
  }),
})

const Warnings = Type.Optional(
  Type.Array(Type.String(), { description: 'Body fields that are not known and were ignored; absent without any' }),
)

/** Answer of `POST /quote` and `/quote/v2` (wire.md 1.3). */
export const QuoteResponseSchema = Type.Object(
  {
    requestId: Hash32(),
    steps: Type.Array(Step),
    fees: QuoteFeesSchema,
    feeSponsorship: Type.Optional(FeeSponsorshipSchema),
    details: QuoteDetailsSchema,
    protocol: Type.Optional(Protocol),
    warnings: Warnings,
  },
  { title: 'Quote' },
)
export type QuoteResponse = Static<typeof QuoteResponseSchema>

/** Answer of `POST /price` (wire.md 1.8). */
export const PriceResponseSchema = Type.Object(
  { fees: QuoteFeesSchema, details: Type.Object(priceDetails, { title: 'PriceDetails' }), warnings: Warnings },
  { title: 'Price' },
)
export type PriceResponse = Static<typeof PriceResponseSchema>
