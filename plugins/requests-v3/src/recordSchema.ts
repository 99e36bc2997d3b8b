import { AmountSchema, AmountText, ChainId, CurrencySchema, SignedAmountText, UsdText } from '@causeway/core'
import { type TSchema, Type } from '@sinclair/typebox'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const text = Type.String()
const nullableText = nullable(text)
const oneOf = (...words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)))

const Tx = Type.Object(
  {
    txHash: text,
    fee: AmountText(),
    feeUsd: Type.Optional(UsdText()),
    block: nullable(Type.Integer()),
    type: text,
    chainId: ChainId(),
    timestamp: nullable(Type.Integer({ description: 'Unix seconds' })),
    status: oneOf('success', 'failure', 'pending'),
    data: Type.Object({}),
    stateChanges: Type.Array(Type.Unknown()),
    metadata: Type.Optional(
      Type.Object({
        reorg: Type.Object({
          detectedAt: Type.Integer({ description: 'Unix milliseconds' }),
          source: text,
          reason: text,
          details: Type.Optional(Type.Unknown()),
          failReason: Type.Optional(text),
          action: Type.Optional(oneOf('fill', 'refund')),
          blockNumber: Type.Optional(Type.Integer()),
          blockHash: Type.Optional(text),
          receiptStatus: Type.Optional(text),
        }),
      }),
    ),
  },
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

const Side = Type.Object({
  inputCurrency: nullable(AmountSchema),
  outputCurrency: nullable(AmountSchema),
  router: text,
  currencyGasTopup: Type.Optional(AmountSchema),
})
const sides = { origin: Side, destination: Type.Optional(Side) }

const RouteRecord = Type.Object({
  includedSwapSources: Type.Array(text),
  includedOriginSwapSources: Type.Array(text),
  includedDestinationSwapSources: Type.Array(text),
  quoted: Type.Object(sides),
  actual: Type.Object({ rate: text, ...sides }),
})

const SettledTxs = Type.Array(Type.Object({ chainId: ChainId(), transactionId: text }))

const Protocol = Type.Object({
  orderId: text,
  hubType: text,
  isWithdrawable: Type.Boolean(),
  solver: nullable(Type.Object({ address: text, protocolChainId: text, chainId: ChainId() })),
  deposit: Type.Object({
    origin: nullable(
      Type.Object({
        amount: AmountText(),
        chainId: ChainId(),
        currency: text,
        depositor: text,
        depository: text,
        onchainId: text,
        transactionId: text,
      }),
    ),
  }),
  settlement: Type.Object({ destination: Type.Object({ fills: SettledTxs, refunds: SettledTxs }) }),
})

const PlatformFee = Type.Object({
  bucket: text,
  ruleId: Type.Integer(),
  relayFeeBps: Type.Integer(),
  integratorFeeBps: Type.Integer(),
  totalFeeBps: Type.Integer(),
  relayFee: AmountSchema,
  integratorFee: AmountSchema,
  totalPlatformFee: AmountSchema,
  integratorFeeRecipient: nullableText,
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
    failedTxHash: nullableText,
    failedTxBlockNumber: nullable(Type.Integer()),
    failedCallData: nullable(Type.Object({ from: text, to: text, data: text, value: text })),
    usesExternalLiquidity: Type.Boolean(),
    timeEstimate: Type.Number({ description: 'Seconds' }),
    triggeredByFastFill: nullable(Type.Boolean()),
    inTxs: Type.Array(Tx),
    outTxs: Type.Array(Tx),
    appFees: AppFees,
    fees: Fees,
    feeSponsorship: nullable(Type.Object({})),
    route: RouteRecord,
    quoteOraclePrice: nullable(OraclePrice),
    refundCurrencyData: nullable(AmountSchema),
    externalMetadata: Type.Object({ [partnerKey]: nullableText }),
    referrer: Type.Optional(nullable(Type.String({ description: 'Told to the owner alone' }))),
    platformFee: Type.Optional(nullable(PlatformFee)),
    apiKeyName: Type.Optional(nullableText),
  })

/** A record as `GET /requests/v3` answers it (specification, Request record; wire.md 3.1). */
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
      protocol: nullable(Protocol),
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
