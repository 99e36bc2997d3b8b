import { definePlugin, PERMIT_HANDLERS, QUOTE_EXTENSIONS } from '@causeway/core/plugin'
import { AUTHORIZE_NEEDS, authorizeRoutes } from './authorize/authorizeRoutes.js'
import { EXECUTE_NEEDS, executeRoutes, registerExecute } from './execute/executePart.js'
import { gaslessMigrations } from './losses/migrations.js'
import { gaslessOptions } from './options.js'
import { PERMIT_NEEDS, registerPermits } from './permits/permitParts.js'

/** What users sign and do not send themselves (wire.md 2.6 to 2.8, F). */
export default definePlugin({
  name: '@causeway/plugin-gasless',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [...new Set([...PERMIT_NEEDS, ...EXECUTE_NEEDS, ...AUTHORIZE_NEEDS])],
  provides: [QUOTE_EXTENSIONS, PERMIT_HANDLERS],
  options: gaslessOptions,
  migrations: gaslessMigrations,
  register: (parts) => {
    registerPermits(parts, parts.options)
    registerExecute(parts, parts.options.execute)
  },
  routes: (context) => [...authorizeRoutes(context), ...executeRoutes(context.container, context.options.execute)],
})
