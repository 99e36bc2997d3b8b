import { type Static, Type } from '@sinclair/typebox'

export const fastFillOptions = Type.Object(
  {
    marginBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 100,
      description:
        'Set aside beyond what the deposit is worth now, basis points of it: the quote promised a price of before. All of it pays where no deposit comes.',
    }),
  },
  { additionalProperties: false },
)

export type FastFillOptions = Static<typeof fastFillOptions>
