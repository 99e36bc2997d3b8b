import { definePlugin } from '@causeway/core'
import { Type } from '@sinclair/typebox'

export default definePlugin({
  name: '@causeway/plugin-realtime',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
})
