import type { Environment } from '@causeway/core'
import { type Static, Type } from '@sinclair/typebox'

/** Options of the plugin. */
export const balancesOptions = Type.Object(
  {
    eventsSecret: Type.Optional(
      Type.Object(
        { env: Type.String({ minLength: 1, description: 'Name of the environment variable that holds it.' }) },
        {
          additionalProperties: false,
          description:
            'Whoever sends this secret as `id` may read the events of any wallet. Default: an integrator reads those of its funding wallet by its key, and nobody else any.',
        },
      ),
    ),
    statementEntries: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 10_000,
      description: 'Most ledger entries that one statement tells; a longer one is refused.',
    }),
  },
  { additionalProperties: false },
)

export type BalancesOptions = Static<typeof balancesOptions>

const SHORTEST = 16

/** The secret that the options name; null: none. @throws Error with the remedy where it is not set or easy to guess */
export const readSecret = ({ eventsSecret }: BalancesOptions, environment: Environment): string | null => {
  if (eventsSecret === undefined) return null
  const secret = environment.read(eventsSecret.env) ?? ''
  if (secret.length >= SHORTEST) return secret
  throw new Error(
    `The environment variable ${eventsSecret.env} is to hold the secret of balance events and has ${secret.length} characters. Set it to ${SHORTEST} or more that nobody can guess, or leave "eventsSecret" of @causeway/plugin-balances out.`,
  )
}
