import { parseUsd, type Usd } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

const dollars = (usual: string, description: string) =>
  Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,6})?$', default: usual, description })

/** Options of the plugin in the configuration. */
export const appFeesOptions = Type.Object(
  {
    maximumBps: Type.Integer({
      minimum: 0,
      maximum: 9_999,
      default: 9_999,
      description: 'Most that the app fees of a quote may be together, basis points of the input',
    }),
    directMinimumUsd: dollars(
      '0.025',
      'Fees of a recipient on a swap that no solver fills are taken when they are worth more, US dollars',
    ),
    minimumClaimUsd: dollars('1', 'Least that is claimed at once, US dollars'),
    claimFeeUsd: dollars('0.02', 'Kept of a claim in another currency beside its network cost, US dollars'),
    claimSeconds: Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 600,
      description: 'How long a claim waits for the signature of its wallet',
    }),
    claimSlippageBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 100,
      description:
        'How much less than it said a claim in another currency may pay by the time it is signed, basis points',
    }),
  },
  { additionalProperties: false },
)
export type AppFeesOptions = Static<typeof appFeesOptions>

/** The options as amounts of money. */
export interface AppFeesSettings extends Omit<AppFeesOptions, 'directMinimumUsd' | 'minimumClaimUsd' | 'claimFeeUsd'> {
  readonly directMinimum: Usd
  readonly minimumClaim: Usd
  readonly claimFee: Usd
}

export const readSettings = ({
  directMinimumUsd,
  minimumClaimUsd,
  claimFeeUsd,
  ...rest
}: AppFeesOptions): AppFeesSettings => ({
  ...rest,
  directMinimum: parseUsd(directMinimumUsd) ?? 0n,
  // The pattern admits nothing else.
  minimumClaim: parseUsd(minimumClaimUsd) ?? 0n,
  claimFee: parseUsd(claimFeeUsd) ?? 0n,
})
