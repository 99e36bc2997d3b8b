import { type Static, Type } from '@sinclair/typebox'

export const fastFillOptions = Type.Object(
  {
    marginBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 100,
      description:
        'Set aside beyond what the deposit is worth now, basis points of it. All of it pays where no deposit comes, and its share where the deposit lacks something',
    }),
    volatilityBpsPerHour: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 200,
      description:
        'Set aside besides for each hour that the deposit may take, basis points of its worth, where it is another asset than the balances: how far its price may fall meanwhile',
    }),
    deadlineMinutes: Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 30,
      description: 'How long the deposit may take; without it by then the collateral pays',
    }),
  },
  { additionalProperties: false },
)

export type FastFillOptions = Static<typeof fastFillOptions>
