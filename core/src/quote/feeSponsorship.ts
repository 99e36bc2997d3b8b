import { type Static, Type } from '@sinclair/typebox'
import { AmountText } from '../http/openapi/amountSchema.js'
import { AmountSchema } from '../http/openapi/sharedSchemas.js'

/** What of the fees a sponsor may pay, in the order in which a cap is used up (wire.md 1.5, D.9). The platform's is called otherwise on the wire. */
export const FEE_COMPONENTS = ['execution', 'swap', 'platform', 'app', 'rent'] as const
export type FeeComponent = (typeof FEE_COMPONENTS)[number]

const Component = Type.Object(
  { selected: Type.Boolean(), total: AmountSchema, sponsored: AmountSchema, userPays: AmountSchema },
  { title: 'SponsoredComponent' },
)

/** The phase `quoted` of a quote's `feeSponsorship` (wire.md 1.5, K.1 12, 13). */
export const QuotedSponsorshipSchema = Type.Object(
  {
    selectedComponents: Type.Array(Type.String()),
    maxSubsidizationAmount: Type.Optional(AmountText({ description: 'The cap, millionths of a dollar' })),
    subsidizationBps: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, description: 'Share of the selected components; absent: all' }),
    ),
    capHit: Type.Boolean({ description: 'The cap left the user something of what was selected' }),
    components: Type.Record(Type.String(), Component, {
      description: 'execution, swap, app, rent, and the platform fee under the name of the service',
    }),
    sponsoredTotal: AmountSchema,
    userPaysTotal: AmountSchema,
  },
  { title: 'QuotedSponsorship' },
)
export type QuotedSponsorship = Static<typeof QuotedSponsorshipSchema>

/** `feeSponsorship` of a quote: what was really paid stands in its record. */
export const FeeSponsorshipSchema = Type.Object({ quoted: QuotedSponsorshipSchema }, { title: 'FeeSponsorship' })
