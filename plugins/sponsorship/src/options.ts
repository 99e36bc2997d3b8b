import { type Static, Type } from '@sinclair/typebox'

/** Options of the plugin in the configuration. */
export const sponsorshipOptions = Type.Object(
  {
    maxFixedRateBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 500,
      description: 'Farthest that a fixed rate may be from the market, basis points of the deposit.',
    }),
  },
  { additionalProperties: false },
)
export type SponsorshipOptions = Static<typeof sponsorshipOptions>
