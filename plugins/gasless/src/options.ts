import { type Static, Type } from '@sinclair/typebox'
import { nonceMappingOptions } from './authorize/nonceMappingOptions.js'

/** Options of the plugin, by part. */
export const gaslessOptions = Type.Object({ nonceMapping: nonceMappingOptions }, { additionalProperties: false })

export type GaslessOptions = Static<typeof gaslessOptions>
