import { type Static, Type } from '@sinclair/typebox'
import { nonceMappingOptions } from './authorize/nonceMappingOptions.js'
import { executeOptions } from './execute/executeOptions.js'
import { permitOptions } from './permits/permitOptions.js'

/** Options of the plugin, by part. */
export const gaslessOptions = Type.Object(
  { nonceMapping: nonceMappingOptions, execute: executeOptions, permits: permitOptions },
  { additionalProperties: false },
)

export type GaslessOptions = Static<typeof gaslessOptions>
