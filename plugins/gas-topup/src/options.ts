import { ONE_USD, parseUsd, type Usd } from '@causeway/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

const dollars = (usual: string, description: string) =>
  Type.String({ pattern: '^[0-9]{1,9}(\\.[0-9]{1,6})?$', default: usual, description })

/** Options of the plugin in the configuration. */
export const gasTopupOptions = Type.Object(
  {
    usualUsd: dollars('2', 'What a quote brings along that names no amount, US dollars'),
    minimumUsd: dollars('0.01', 'Least that a quote may ask for, US dollars'),
    maximumUsd: dollars('50', 'Most that a quote may ask for, US dollars'),
  },
  { additionalProperties: false },
)
export type GasTopupOptions = Static<typeof gasTopupOptions>

/** The options as amounts of money. */
export interface GasTopupSettings {
  readonly usual: Usd
  readonly minimum: Usd
  readonly maximum: Usd
}

const dollarsOf = (text: string): Usd => parseUsd(text) ?? 0n

/** @throws Error when the bounds leave no room, or not for the usual amount */
export const readSettings = ({ usualUsd, minimumUsd, maximumUsd }: GasTopupOptions): GasTopupSettings => {
  const settings = { usual: dollarsOf(usualUsd), minimum: dollarsOf(minimumUsd), maximum: dollarsOf(maximumUsd) }
  const { usual, minimum, maximum } = settings
  if (minimum <= 0n || minimum > usual || usual > maximum || maximum > 1_000n * ONE_USD) {
    throw new Error(
      '@causeway/plugin-gas-topup: minimumUsd must be above 0, usualUsd not below it, maximumUsd not below that nor above 1000.',
    )
  }
  return settings
}
