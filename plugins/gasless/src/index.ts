import { definePlugin } from '@causeway/core/plugin'
import { AUTHORIZE_TOKENS, authorizeRoutes } from './authorize/authorizeRoutes.js'
import { gaslessOptions } from './options.js'

/** What users sign and do not send themselves (wire.md 2.6 to 2.8, F). */
export default definePlugin({
  name: '@causeway/plugin-gasless',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [...AUTHORIZE_TOKENS],
  options: gaslessOptions,
  routes: (context) => [...authorizeRoutes(context)],
})
