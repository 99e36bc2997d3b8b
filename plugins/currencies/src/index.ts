import { CLOCK, CURRENCIES } from '@causeway/core'
import {
  CHAINS,
  CURRENCY_LISTING,
  CURRENCY_SEARCH_SOURCES,
  DEPOSIT_ADDRESS_RULES,
  definePlugin,
  LOGGER,
  openKnex,
  PERMIT_HANDLERS,
  PermitSupport,
  POOL,
  token,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import type { Knex } from 'knex'
import type { Pool } from 'pg'
import { ChainTokens } from './chainTokens.js'
import { CurrencyCatalogue } from './currencyCatalogue.js'
import { currencyRoutes } from './currencyRoutes.js'
import { importCommand } from './importCommand.js'
import { importedListing } from './importedListing.js'
import { ListedPermits } from './listedPermits.js'
import { migrations } from './migrations.js'

/** Connections of the search: opened by the first one, since knex and objection are slow to load. */
interface SearchDatabase {
  open(): Knex
  close(): Promise<void>
}

const SEARCH_DATABASE = token<SearchDatabase>('plugin-currencies/SearchDatabase')

const searchDatabase = (pool: Pool, connections: number): SearchDatabase => {
  let opened: Knex | undefined
  return {
    open: () => {
      opened ??= openKnex(pool, connections)
      return opened
    },
    close: async () => opened?.destroy(),
  }
}

/** Options of the plugin in the configuration. */
export const currenciesOptions = Type.Object(
  {
    connections: Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 4,
      description: 'Most database connections of the search',
    }),
    externalTimeoutMs: Type.Integer({
      minimum: 100,
      maximum: 20_000,
      default: 3000,
      description: 'How long sources outside the catalogue may take',
    }),
  },
  { additionalProperties: false },
)

/** The catalogue of currencies. */
export default definePlugin({
  name: '@causeway/plugin-currencies',
  version: '1.0.0',
  coreRange: '^1.0.0',
  requires: [CHAINS, CURRENCIES, POOL, CLOCK, LOGGER],
  provides: [CURRENCY_LISTING],
  options: currenciesOptions,
  migrations,
  register: ({ container, options, provide }) => {
    provide(CURRENCY_LISTING, () => importedListing(container.resolve(POOL)))
    container.registerInstance(SEARCH_DATABASE, searchDatabase(container.resolve(POOL), options.connections))
  },
  routes: ({ container, options }) => {
    const sources = container.isRegistered(CURRENCY_SEARCH_SOURCES, true)
      ? container.resolve(CURRENCY_SEARCH_SOURCES)
      : []
    const chainTokens = new ChainTokens({ chains: container.resolve(CHAINS), clock: container.resolve(CLOCK) })
    const catalogue = new CurrencyCatalogue({
      openTable: async (held) => {
        const { CurrencyTable } = await import('./currencyTable.js')
        return new CurrencyTable({ db: container.resolve(SEARCH_DATABASE).open(), held })
      },
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      listing: importedListing(container.resolve(POOL)),
      givesAddresses: container.isRegistered(DEPOSIT_ADDRESS_RULES, true),
      chainTokens,
      sources,
      externalTimeoutMs: options.externalTimeoutMs,
      log: container.resolve(LOGGER),
    })
    const handlers = container.isRegistered(PERMIT_HANDLERS, true) ? container.resolve(PERMIT_HANDLERS) : []
    const support = new PermitSupport({ handlers, now: () => performance.now() })
    const parts = { chains: container.resolve(CHAINS), currencies: container.resolve(CURRENCIES) }
    return currencyRoutes(catalogue, new ListedPermits({ ...parts, support }))
  },
  commands: ({ container }) => [
    importCommand({
      pool: container.resolve(POOL),
      chains: container.resolve(CHAINS),
      clock: container.resolve(CLOCK),
    }),
  ],
  stop: async ({ container }) => container.resolve(SEARCH_DATABASE).close(),
})
