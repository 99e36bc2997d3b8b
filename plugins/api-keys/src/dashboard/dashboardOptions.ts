import { type Static, Type } from '@sinclair/typebox'

const minutes = (description: string, most: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description }))

const settings = Type.Object(
  {
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?$',
        description:
          'Where people reach this deployment, for example `https://transfer.example`: wallets sign in for it. Default: the address asked for, while the service listens on loopback only.',
      }),
    ),
    selfServe: Type.Optional(
      Type.Boolean({ description: 'A wallet nobody knows signs in as an integrator of its own. Default true.' }),
    ),
    chainIds: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Chains a wallet may name when it signs in. Default: the EVM chains of this deployment.',
      }),
    ),
    idleMinutes: minutes('A session that is not used for so long ends. Default 60.', 43_200),
    sessionMinutes: minutes('The longest life of a session. Default 720.', 525_600),
  },
  { additionalProperties: false },
)

/** Option `dashboard` of the plugin: `false` leaves out the management API. */
export const dashboardOption = Type.Optional(
  Type.Union([Type.Literal(false), settings], {
    description: 'The management API under /dashboard/api; `false` turns it off.',
  }),
)

export interface DashboardSettings {
  /** Without a slash at its end; null where it is read from each call. */
  readonly publicUrl: string | null
  readonly selfServe: boolean
  /** Null: the EVM chains of the deployment. */
  readonly chainIds: readonly number[] | null
  readonly idleMs: number
  readonly sessionMs: number
}

const MINUTE_MS = 60_000

/** The option with its defaults; null where the management API is turned off. */
export const dashboardSettings = (option: Static<typeof dashboardOption> | undefined): DashboardSettings | null => {
  if (option === false) return null
  const { publicUrl, selfServe = true, chainIds = null, idleMinutes = 60, sessionMinutes = 720 } = option ?? {}
  return {
    publicUrl: publicUrl === undefined ? null : new URL(publicUrl).origin,
    selfServe,
    chainIds,
    idleMs: idleMinutes * MINUTE_MS,
    sessionMs: sessionMinutes * MINUTE_MS,
  }
}
