import type { Static, TSchema } from '@sinclair/typebox'
import type { DependencyContainer } from 'tsyringe'
import { type Chain, ChainRegistry } from '../chain/chainRegistry.js'
import { registerCoreServices } from '../container/coreServices.js'
import { DEPLOYMENT, ENVIRONMENT } from '../container/coreTokens.js'
import { environmentOf } from '../container/environment.js'
import { EXTENSION_POINTS } from '../container/extensionPoints.js'
import { coreMigrations } from '../database/schema/coreMigrations.js'
import {
  ANONYMOUS,
  type Caller,
  INTEGRATOR_AUTH,
  type IntegratorAuth,
  invalidApiKey,
} from '../http/access/integratorAuth.js'
import { CALL_OBSERVERS } from '../http/callObserver.js'
import { createLogger } from '../http/logging/logger.js'
import { validator } from '../http/request/validate.js'
import { serveSockets } from '../http/socket/serveSockets.js'
import { startTestServer } from '../http/testServer.js'
import { IDEMPOTENT_CALLS } from '../idempotency/idempotentCalls.js'
import { deploymentMigrations } from '../keys/databaseMaster.js'
import { ConfiguredCurrencies } from '../money/currency/configuredCurrencies.js'
import { PERMIT_HANDLERS } from '../permit/permitHandler.js'
import { permitRoutes } from '../permit/permitRoutes.js'
import { CORE_VERSION, fitsCore } from '../plugin/coreCompatibility.js'
import type { Plugin, PluginContext, Provide } from '../plugin/plugin.js'
import { createTestDatabase, type TestDatabase } from './testDatabase.js'

/** What a plugin finds around it in a test. */
export interface TestPluginSettings {
  /** As a deployment writes them: the plugin's schema checks them and fills in the defaults. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Who is calling, by API key. Any other key is refused. */
  readonly callers?: Readonly<Record<string, Caller>>
  /** Default: none. */
  readonly chains?: readonly Chain[]
  /** Registers what the host or another plugin provides, such as PRICES, or takes the place of a service of core. */
  register?(container: DependencyContainer): void
}

/** A plugin that runs in a test. */
export interface TestPlugin<Options> {
  /** Where its routes and websockets are served: `http://127.0.0.1:4000`, without a slash at the end. */
  readonly url: string
  readonly database: TestDatabase
  /** What its hooks are called with: for its `jobs` and `commands`, and to resolve what it provides. */
  readonly context: PluginContext<Options>
  /** Every log line so far, as text. */
  logged(): string
  /** Stops the plugin and removes its database. */
  close(): Promise<void>
}

/**
 * Runs a plugin alone, as the host would: on a database with the tables of core and its own, with the services of core and
 * over HTTP, every answer held against what its route declares. No job is started and no chain; quotes need a host.
 * Throws where the host would refuse the plugin.
 */
export const startTestPlugin = async <Schema extends TSchema>(
  plugin: Plugin<Schema>,
  settings: TestPluginSettings = {},
): Promise<TestPlugin<Static<Schema>>> => {
  if (fitsCore(plugin.coreRange) !== true) {
    throw new Error(`${plugin.name} fits core ${plugin.coreRange}, but this is core ${CORE_VERSION}.`)
  }
  const options = structuredClone(settings.options ?? {})
  validator(plugin.options, 'options')(options)
  const database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: '@causeway/host', migrations: deploymentMigrations },
      { name: plugin.name, migrations: plugin.migrations ?? [] },
    ],
  })
  try {
    // CAST: the schema just checked them.
    return await start(plugin, options as Static<Schema>, settings, database)
  } catch (error) {
    await database.drop()
    throw error
  }
}

const start = async <Schema extends TSchema>(
  plugin: Plugin<Schema>,
  options: Static<Schema>,
  settings: TestPluginSettings,
  database: TestDatabase,
): Promise<TestPlugin<Static<Schema>>> => {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', destination: { write: (line: string) => void lines.push(line) } })
  const root = await newContainer()
  const chains = new ChainRegistry(settings.chains ?? [])
  await registerCoreServices(root, {
    ...{ pool: database.pool, connectionString: database.url, log, chains },
    currencies: new ConfiguredCurrencies(chains.all()),
    settings: { anonymousHoldBps: 2_500, callerHoldBps: 2_000, leaseMs: 5_000 },
  })
  root.register(DEPLOYMENT, { useValue: { network: 'testnet', serviceName: 'relay', version: CORE_VERSION } })
  root.register(ENVIRONMENT, { useValue: environmentOf({}) })
  root.register(INTEGRATOR_AUTH, { useValue: authOf(settings.callers ?? {}) })
  for (const token of EXTENSION_POINTS) root.register(token, { useValue: [] })
  settings.register?.(root)
  const context = { container: root.createChildContainer(), options }
  await setUp(plugin, context, root)
  await plugin.start?.(context)
  const sockets = plugin.sockets?.(context) ?? []
  const { server, close } = await startTestServer(
    [...(plugin.routes?.(context) ?? []), ...permitRoutes(root.resolve(PERMIT_HANDLERS))],
    {
      log,
      auth: root.resolve(INTEGRATOR_AUTH),
      callObservers: root.resolve(CALL_OBSERVERS),
      idempotentCalls: root.resolve(IDEMPOTENT_CALLS),
    },
  )
  serveSockets(server, { endpoints: sockets })
  return {
    url: server.url,
    database,
    context,
    logged: () => lines.join(''),
    close: async () => {
      await Promise.all([...sockets.map((endpoint) => endpoint.close()), close()])
      await plugin.stop?.(context)
      await database.drop()
    },
  }
}

/** Loads the container when it is needed: it demands that `reflect-metadata` was loaded before. */
const newContainer = async (): Promise<DependencyContainer> => {
  await import('reflect-metadata')
  const { container } = await import('tsyringe')
  return container.createChildContainer()
}

const authOf = (callers: Readonly<Record<string, Caller>>): IntegratorAuth => ({
  authenticate: async (apiKey) => {
    if (apiKey === undefined) return ANONYMOUS
    const caller = callers[apiKey]
    if (caller === undefined) throw invalidApiKey()
    return caller
  },
})

/** Checks what the plugin requires, and lets it register what it provides. */
const setUp = async <Schema extends TSchema>(
  plugin: Plugin<Schema>,
  context: PluginContext<Static<Schema>>,
  root: DependencyContainer,
): Promise<void> => {
  for (const token of plugin.requires ?? []) {
    if (!root.isRegistered(token)) {
      throw new Error(`${plugin.name} requires ${String(token)}: register a stand-in with \`register\`.`)
    }
  }
  const provide: Provide['provide'] = (token, factory) => {
    if (plugin.provides?.includes(token) !== true) {
      throw new Error(`${plugin.name} registers ${String(token)}, which its "provides" does not list.`)
    }
    let made: { readonly value: unknown } | undefined
    const make = (): unknown => {
      const value: unknown = factory(context.container)
      return EXTENSION_POINTS.includes(token) ? [value].flat() : value
    }
    const useFactory = (): unknown => {
      made ??= { value: make() }
      return made.value
    }
    root.register<unknown>(token, { useFactory })
  }
  await plugin.register?.({ ...context, provide })
}
