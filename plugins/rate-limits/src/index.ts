import { definePlugin } from '@causeway/core'
import { Type } from '@sinclair/typebox'

/** Rate limits per key and address. */
export default definePlugin({
  name: '@causeway/plugin-rate-limits',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
})
