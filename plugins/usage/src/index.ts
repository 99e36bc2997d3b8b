import { definePlugin } from '@causeway/core'
import { Type } from '@sinclair/typebox'

/** Use of the API per key and minute. */
export default definePlugin({
  name: '@causeway/plugin-usage',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
})
