import { Hash32, QuoteDetailsSchema, QuoteFeesSchema } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** Answer of `GET /integrators/quote-data` (wire.md 1.10, H.3). */
export const QuoteDataSchema = Type.Object(
  {
    requestId: Hash32(),
    createdAt: Type.String({ description: 'ISO 8601' }),
    request: Type.Record(Type.String(), Type.Unknown(), { description: 'Body as received, without the key' }),
    feeSponsorship: Type.Union(
      [Type.Object({ subsidizationBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })) }), Type.Null()],
      { description: 'What a sponsor pays and its share; null while nothing is sponsored' },
    ),
    fees: QuoteFeesSchema,
    details: QuoteDetailsSchema,
  },
  { title: 'QuoteData' },
)
