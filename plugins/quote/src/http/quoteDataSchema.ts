import { FeeSponsorshipSchema, Hash32, QuoteDetailsSchema, QuoteFeesSchema } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** Answer of `GET /integrators/quote-data` (wire.md 1.10, H.3). */
export const QuoteDataSchema = Type.Object(
  {
    requestId: Hash32(),
    createdAt: Type.String({ description: 'ISO 8601' }),
    request: Type.Record(Type.String(), Type.Unknown(), { description: 'Body as received, without the key' }),
    feeSponsorship: Type.Union([FeeSponsorshipSchema, Type.Null()], {
      description: 'What a sponsor pays and its share, as quoted; null where none was asked for',
    }),
    fees: QuoteFeesSchema,
    details: QuoteDetailsSchema,
  },
  { title: 'QuoteData' },
)
