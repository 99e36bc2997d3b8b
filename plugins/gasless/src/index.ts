import { definePlugin } from '@causeway/core/plugin'
import { gaslessOptions } from './options.js'

/** What users sign and do not send themselves (wire.md 2.6 to 2.8, F). */
export default definePlugin({
  name: '@causeway/plugin-gasless',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [],
  options: gaslessOptions,
})
