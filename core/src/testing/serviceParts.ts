import type { Static, TSchema } from '@sinclair/typebox'
import type { ApplicationOptions } from '../http/application.js'
import type { Route } from '../http/route.js'
import type { TestServer } from '../http/testServer.js'
import { installCommand } from '../packages/installCommand.js'
import type { Plugin } from '../plugin/plugin.js'
import type { TestPlugin, TestPluginSettings } from './testPlugin.js'

export type { TestServer } from '../http/testServer.js'
export type { TestDatabase } from './testDatabase.js'
export { TEST_DATABASE_VARIABLE } from './testDatabaseVariable.js'
export type { TestPlugin, TestPluginSettings } from './testPlugin.js'
export type { TestPostgres, TestPostgresOptions } from './testPostgres.js'

const MANIFEST = new URL('../../package.json', import.meta.url)

/** Optional peers of core: the web server and the database client. A host depends on them, a chain package needs none. */
export const SERVICE_PACKAGES = ['@koa/router', 'knex', 'koa', 'pg', 'raw-body'] as const

/** Imports a part that runs the service. @throws Error with the install command when a package of the service is missing */
export const loadServicePart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch (error) {
    const isMissing = Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing || !SERVICE_PACKAGES.some((name) => String(error).includes(`'${name}'`))) throw error
    const command = installCommand(MANIFEST, SERVICE_PACKAGES)?.replace('install', 'install --save-dev')
    throw new Error(
      `This part of @causeway/core/testing runs the service, whose packages are not installed. Run: ${command}`,
    )
  }
}

const database = () => loadServicePart(() => import('./testDatabase.js'))
const postgres = () => loadServicePart(() => import('./testPostgres.js'))

/** See `createTestDatabase` of `testDatabase.ts`. */
export const createTestDatabase: typeof import('./testDatabase.js').createTestDatabase = async (options) =>
  (await database()).createTestDatabase(options)

/** See `giveOddSettings` of `testDatabase.ts`. */
export const giveOddSettings: typeof import('./testDatabase.js').giveOddSettings = async (url) =>
  (await database()).giveOddSettings(url)

/** See `startTestPostgres` of `testPostgres.ts`. */
export const startTestPostgres: typeof import('./testPostgres.js').startTestPostgres = async (options) =>
  (await postgres()).startTestPostgres(options)

/** See `openTestPostgres` of `testPostgres.ts`. */
export const openTestPostgres: typeof import('./testPostgres.js').openTestPostgres = async () =>
  (await postgres()).openTestPostgres()

/** See `startTestServer` of `testServer.ts`. */
export const startTestServer = async (
  routes: readonly Route[],
  options: Partial<Omit<ApplicationOptions, 'routes'>> = {},
): Promise<TestServer> =>
  (await loadServicePart(() => import('../http/testServer.js'))).startTestServer(routes, options)

/** See `startTestPlugin` of `testPlugin.ts`. */
export const startTestPlugin = async <Schema extends TSchema>(
  plugin: Plugin<Schema>,
  settings: TestPluginSettings = {},
): Promise<TestPlugin<Static<Schema>>> =>
  (await loadServicePart(() => import('./testPlugin.js'))).startTestPlugin(plugin, settings)
