import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  CHAINS,
  DEPOSIT_ADDRESS_RULES,
  definePlugin,
  KEYS,
  LEASES,
  LOGGER,
  NOTIFIER,
  type PluginContext,
  POOL,
  QUOTE_ENGINE,
  QUOTE_EXTENSIONS,
  token,
} from '@causeway/core/plugin'
import { custodialSenders } from './custodialSenders.js'
import { lookupRoute } from './http/lookupRoute.js'
import { reindexRoute } from './http/reindexRoute.js'
import { depositAddressOptions, lifeSeconds } from './options.js'
import { AddressGiver } from './quoting/addressGiver.js'
import { addressQuotes } from './quoting/addressQuotes.js'
import { SweepFees } from './quoting/sweepFees.js'
import { PoolKeeper } from './work/poolKeeper.js'
import { Requoter } from './work/requoter.js'

const GIVER = token<AddressGiver>('plugin-deposit-address/AddressGiver')

type Container = PluginContext<unknown>['container']

/** What every part works with. */
const sharedOf = (container: Container) => ({
  pool: container.resolve(POOL),
  clock: container.resolve(CLOCK),
  chains: container.resolve(CHAINS),
})

/** Quotes that are paid by a plain transfer to an address, and what becomes of what arrives (wire.md E). */
export default definePlugin({
  name: '@causeway/plugin-deposit-address',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, POOL, CLOCK, KEYS, LEASES, NOTIFIER, LOGGER, QUOTE_ENGINE],
  provides: [QUOTE_EXTENSIONS, DEPOSIT_ADDRESS_RULES],
  options: depositAddressOptions,
  register: ({ container, provide, options }) => {
    const { pool, clock, chains } = sharedOf(container)
    const giver = new AddressGiver({ pool, addressesPerHour: options.addressesPerHour })
    container.registerInstance(GIVER, giver)
    const fees = new SweepFees(clock)
    const extension = addressQuotes({ giver, fees, clock, lifeSeconds: lifeSeconds(options) })
    provide(QUOTE_EXTENSIONS, () => [extension])
    const rules = custodialSenders(chains, options.custodialSenders)
    provide(DEPOSIT_ADDRESS_RULES, () => rules)
  },
  routes: ({ container }) => {
    const shared = { ...sharedOf(container), currencies: container.resolve(CURRENCIES) }
    return [lookupRoute({ ...shared, giver: container.resolve(GIVER) }), reindexRoute(shared)]
  },
  jobs: ({ container, options }) => {
    const { pool, clock, chains } = sharedOf(container)
    const [leases, log] = [container.resolve(LEASES), container.resolve(LOGGER)]
    const keeper = new PoolKeeper({
      ...{ pool, clock, chains, leases, log },
      keys: container.resolve(KEYS),
      size: options.poolSize,
    })
    return [
      {
        name: 'deposit address requotes',
        role: 'api',
        run: (signal) => {
          const [notifier, engine] = [container.resolve(NOTIFIER), container.resolve(QUOTE_ENGINE)]
          const patience = options.requoteAttempts
          return new Requoter({ pool, clock, leases, notifier, engine, log, patience }).run(signal)
        },
      },
      { name: 'deposit address pools', role: 'solver', run: (signal) => keeper.run(signal) },
    ]
  },
})
