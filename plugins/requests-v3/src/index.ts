import { definePlugin } from '@causeway/core'
import { Type } from '@sinclair/typebox'

/** History of requests. */
export default definePlugin({
  name: '@causeway/plugin-requests-v3',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
})
