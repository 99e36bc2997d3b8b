import { type Static, Type } from '@sinclair/typebox'
import { AddressText, ChainId, SignedAmountText, UsdText, VmTypeText } from './amountSchema.js'

/** CURRENCY as amount objects and lists show it (wire.md 0.2, K.1 11). */
export const CurrencySchema = Type.Object(
  {
    chainId: ChainId(),
    address: AddressText(),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0 }),
    vmType: Type.Optional(VmTypeText()),
    groupID: Type.Optional(Type.String()),
    metadata: Type.Optional(
      Type.Object({
        logoURI: Type.Optional(Type.String()),
        verified: Type.Optional(Type.Boolean()),
        isNative: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { title: 'Currency' },
)
export type CurrencyJson = Static<typeof CurrencySchema>

/** AMOUNT: a quantity with its currency, formatted and in dollars (wire.md 0.3). */
export const AmountSchema = Type.Object(
  {
    currency: CurrencySchema,
    amount: SignedAmountText(),
    amountFormatted: Type.String({ examples: ['99.9509'] }),
    amountUsd: UsdText(),
    amountUsdCurrent: Type.Optional(UsdText()),
    minimumAmount: Type.Optional(SignedAmountText()),
  },
  { title: 'Amount' },
)
export type AmountJson = Static<typeof AmountSchema>

/** The status once more: clients read it in the body of every error (wire.md 0.4). */
export const StatusCode = () => Type.Integer({ description: 'The HTTP status of this answer' })

/** Body of the `plain` error family (wire.md 0.4). */
export const PlainErrorSchema = Type.Object({ message: Type.String(), statusCode: StatusCode() }, { title: 'Error' })

/** One text. Where a route declares it for an error, the body is that of `PlainErrorSchema`. */
export const MessageSchema = Type.Object({ message: Type.String() }, { title: 'Message' })

/** Body of the `execute` error family (wire.md 0.4). */
export const ExecuteErrorSchema = Type.Object(
  { error: Type.String(), statusCode: StatusCode() },
  { title: 'ExecuteError' },
)

/** Body of the `quote` error family (wire.md 0.4). */
export const QuoteErrorSchema = Type.Object(
  {
    message: Type.String(),
    errorCode: Type.String(),
    statusCode: StatusCode(),
    errorData: Type.Optional(Type.Unknown()),
    requestId: Type.Optional(Type.String()),
    approxSimulatedBlock: Type.Optional(Type.Number()),
    failedCallData: Type.Optional(
      Type.Object({ from: Type.String(), to: Type.String(), data: Type.String(), value: Type.String() }),
    ),
  },
  { title: 'QuoteError' },
)
