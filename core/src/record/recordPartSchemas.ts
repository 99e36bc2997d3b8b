import { type TSchema, Type } from '@sinclair/typebox'
import { AmountText, ChainId } from '../http/openapi/amountSchema.js'
import { AmountSchema } from '../http/openapi/sharedSchemas.js'

const text = Type.String()

/** A value of the schema, or null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of some words. */
export const oneOf = (...words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)))

/** TX of a record without what its versions call differently (wire.md 3.1). */
export const recordTxFields = {
  fee: AmountText(),
  block: nullable(Type.Integer()),
  type: text,
  chainId: ChainId(),
  timestamp: nullable(Type.Integer({ description: 'Unix seconds' })),
  status: oneOf('success', 'failure', 'pending'),
  data: Type.Object({}),
  stateChanges: Type.Array(
    Type.Object({
      address: Type.String(),
      change: Type.Object({
        kind: Type.Literal('token'),
        balanceDiff: Type.String({ description: 'Smallest unit; negative for what was lost' }),
        data: Type.Object({ tokenKind: Type.Literal('ft'), tokenAddress: Type.String() }),
      }),
    }),
    { description: 'What the transaction moved; empty where it is not known, and after 90 days' },
  ),
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
}

/** What is told of a fill that failed. */
export const failedTxFields = {
  failedTxHash: nullable(text),
  failedTxBlockNumber: nullable(Type.Integer()),
  failedCallData: nullable(Type.Object({ from: text, to: text, data: text, value: text })),
}

const Side = Type.Object({
  inputCurrency: nullable(AmountSchema),
  outputCurrency: nullable(AmountSchema),
  router: text,
  currencyGasTopup: Type.Optional(AmountSchema),
})

/** Both legs of a route; a transfer within one chain has no second. */
export const routeSideFields = { origin: Side, destination: Type.Optional(Side) }

const SettledTxs = Type.Array(Type.Object({ chainId: ChainId(), transactionId: text }))

/** `protocol` of a record (wire.md 3.1). */
export const RecordProtocolSchema = Type.Object({
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

/** What left the balance of a sponsor (wire.md 1.5). */
export const SponsorPaymentSchema = Type.Object({ amount: AmountText(), address: text, chainId: ChainId() })

/** A phase of `feeSponsorship` of a record (wire.md 1.5); `platform` is the key of the platform fee's component. */
export const sponsorshipPhase = (platform: string, amount: TSchema) => {
  const component = Type.Object({ selected: Type.Boolean(), total: amount, sponsored: amount, userPays: amount })
  return {
    selectedComponents: Type.Array(text),
    subsidizationBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    capHit: Type.Boolean(),
    components: Type.Object({
      execution: component,
      swap: component,
      [platform]: component,
      app: component,
      rent: component,
    }),
    sponsoredTotal: amount,
    userPaysTotal: amount,
  }
}

/** `platformFee` of a record, told to the owner alone (wire.md 3.1). */
export const RecordPlatformFeeSchema = Type.Object({
  bucket: text,
  ruleId: Type.Integer(),
  relayFeeBps: Type.Integer(),
  integratorFeeBps: Type.Integer(),
  totalFeeBps: Type.Integer(),
  relayFee: AmountSchema,
  integratorFee: AmountSchema,
  totalPlatformFee: AmountSchema,
  integratorFeeRecipient: nullable(text),
})
