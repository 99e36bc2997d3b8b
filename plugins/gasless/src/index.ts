import { CLOCK } from '@causeway/core'
import { definePlugin, QUOTE_EXTENSIONS } from '@causeway/core/plugin'
import { EXECUTE_NEEDS, executeRoutes } from './execute/executePart.js'
import { executeMigrations } from './execute/migrations.js'
import { OriginGasFees } from './execute/quoting/originGasFees.js'
import { originGasQuotes } from './execute/quoting/originGasQuotes.js'
import { gaslessOptions } from './options.js'

/** What users sign and do not send themselves (wire.md 2.6 to 2.8, F). */
export default definePlugin({
  name: '@causeway/plugin-gasless',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [...EXECUTE_NEEDS],
  provides: [QUOTE_EXTENSIONS],
  options: gaslessOptions,
  migrations: executeMigrations,
  register: ({ container, provide, options }) => {
    provide(QUOTE_EXTENSIONS, () => [
      originGasQuotes({ fees: new OriginGasFees(container.resolve(CLOCK)), maxGas: options.execute.maxGas }),
    ])
  },
  routes: ({ container, options }) => [...executeRoutes(container, options.execute)],
})
