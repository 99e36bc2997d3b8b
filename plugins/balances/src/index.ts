import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  BALANCE_CURRENCY,
  definePlugin,
  ENVIRONMENT,
  KEYS,
  managementGateOf,
  POOL,
  RecordCursor,
  SEARCH_POOL,
} from '@causeway/core/plugin'
import { eventsRoute } from './eventsRoute.js'
import { memberRoutes } from './memberRoutes.js'
import { balancesOptions, readSecret } from './options.js'
import { statementRoutes } from './statementRoutes.js'

/** A value made when first asked for. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The books of balances for those whose they are: events and statements. */
export default definePlugin({
  name: '@causeway/plugin-balances',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [POOL, SEARCH_POOL, CLOCK, CURRENCIES, KEYS, ENVIRONMENT, BALANCE_CURRENCY],
  options: balancesOptions,
  routes: ({ container, options }) => {
    const [pool, searchPool] = [container.resolve(POOL), container.resolve(SEARCH_POOL)]
    const deps = {
      pool,
      searchPool,
      clock: container.resolve(CLOCK),
      currencies: container.resolve(CURRENCIES),
      entries: options.statementEntries,
      cursor: once(() => new RecordCursor(container.resolve(KEYS).derive('balances/cursor'))),
    }
    const gate = managementGateOf(container)
    return [
      eventsRoute({ ...deps, secret: readSecret(options, container.resolve(ENVIRONMENT)) }),
      ...statementRoutes(deps),
      ...(gate === null ? [] : memberRoutes({ ...deps, gate, balanceCurrency: container.resolve(BALANCE_CURRENCY) })),
    ]
  },
})
