import { definePlugin } from '@causeway/core'
import { Type } from '@sinclair/typebox'

/** Deprecated history of requests. */
export default definePlugin({
  name: '@causeway/plugin-requests-v2',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
})
