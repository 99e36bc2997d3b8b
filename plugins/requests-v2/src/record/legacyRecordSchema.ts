import { AmountSchema, AmountText, oneOf, recordTxFields, SignedAmountText, UsdText } from '@causeway/core/plugin'
import { type TSchema, Type } from '@sinclair/typebox'

const text = Type.String()
const instant = Type.String({ description: 'ISO 8601' })
const { fee, data, stateChanges, type, chainId, timestamp } = recordTxFields
const Tx = Type.Object({ fee, data, stateChanges, hash: text, type, chainId, timestamp })
const byPart = (part: TSchema) => Type.Object({ gas: part, fixed: part, price: part })

/** A record as `GET /requests` answers it (wire.md 3.4). */
const LegacyRecord = Type.Object(
  {
    id: text,
    status: oneOf('received', 'depositing', 'pending', 'success', 'failure', 'fallback'),
    user: text,
    recipient: text,
    createdAt: instant,
    updatedAt: instant,
    data: Type.Object({
      fees: byPart(SignedAmountText()),
      feesUsd: byPart(UsdText()),
      inTxs: Type.Array(Tx),
      outTxs: Type.Array(Tx),
      currency: text,
      feeCurrency: text,
      appFees: Type.Array(Type.Object({ recipient: text, amount: AmountText() })),
      metadata: Type.Object({
        sender: text,
        recipient: text,
        currencyIn: AmountSchema,
        currencyOut: AmountSchema,
        rate: text,
      }),
      price: AmountText(),
      usesExternalLiquidity: Type.Boolean(),
      timeEstimate: Type.Number({ description: 'Seconds' }),
    }),
  },
  { title: 'LegacyRequestRecord' },
)

/** The answer of `GET /requests`; the last page has no `continuation`. */
export const LegacyPageSchema = Type.Object({
  requests: Type.Array(LegacyRecord),
  continuation: Type.Optional(text),
})
