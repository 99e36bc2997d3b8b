/** A deployment's own plugin, chain package and configuration, as a stranger would write them. */
export const CONSUMER = `
import { formatAmount } from '@causeway/core'
import { type ChainAdapter, defineChainPackage } from '@causeway/core/chain'
import { definePlugin, defineRoute } from '@causeway/core/plugin'
import { defineConfig } from '@causeway/host'
import evm from '@causeway/chain-evm'
import quote from '@causeway/plugin-quote'
import { Type } from '@sinclair/typebox'

export const plugin = definePlugin({
  name: 'acme-plugin',
  version: '1.0.0',
  coreRange: '^1.0.0',
  options: Type.Object({ greeting: Type.String({ default: 'hello' }) }),
  routes: ({ options }) => [
    defineRoute({
      method: 'GET',
      path: '/acme',
      summary: 'Greets',
      bucket: 'none',
      auth: 'none',
      responses: { 200: Type.Object({ greeting: Type.String() }) },
      handler: async () => ({ greeting: options.greeting }),
    }),
  ],
})

export const describeAdapter = (adapter: ChainAdapter): string => adapter.vmType

export const names: readonly string[] = [evm.vmType, quote.name]

export default defineConfig({
  network: 'testnet',
  chains: [],
  keys: { order: { env: 'ORDER_KEY' } },
  plugins: [{ package: 'acme-plugin', options: { greeting: 'hi' } }],
  tracing: { endpoint: 'https://collector.example/v1/traces', sampleRatio: 0.1 },
})
`

/** Imports the packages named on its command line and prints the URL of every module that was loaded. */
export const LOADED_MODULES = `
import { createRequire, register } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
const record = new URL('./loaded.txt', import.meta.url)
writeFileSync(record, '')
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs'
  let record
  export const initialize = (data) => { record = new URL(data.record) }
  export const load = async (url, context, next) => { appendFileSync(record, url + '\\\\n'); return next(url, context) }
\`), { data: { record: record.href } })
await import('reflect-metadata')
for (const name of process.argv.slice(2)) await import(name)
console.log([readFileSync(record, 'utf8'), ...Object.keys(createRequire(import.meta.url).cache)].join('\\n'))
`

/** Uses features whose packages are not installed, by the files of the installed packages, and prints the outcome as JSON. */
export const FEATURES = `
import { requireEmbeddedPostgres } from '@causeway/core/host'
const modules = './node_modules/@causeway/'
const { openTracing } = await import(modules + 'host/dist/application/opening/openTracing.js')
const { openReferenceBundle } = await import(modules + 'host/dist/application/documentation/referenceBundle.js')
const { rendererToInstall } = await import(modules + 'plugin-dashboard/dist/preview/previewPicture.js')
const messageOf = async (use) => {
  try {
    await use()
    return null
  } catch (error) {
    return error.message.replace(/ \\(or remove.*/, '')
  }
}
console.log(JSON.stringify({
  postgres: await messageOf(requireEmbeddedPostgres),
  tracing: await messageOf(() => openTracing({ config: { tracing: { endpoint: 'https://collector.example' }, roles: [] } })),
  pictures: rendererToInstall(),
  documentation: openReferenceBundle().fileName,
}))
`

/** Loads the entries of core that a chain package imports, and prints why a part of the service cannot be loaded there. */
export const ADAPTER_ENTRIES = `
for (const entry of ['', '/chain', '/chain-kit', '/testing', '/verify']) await import('@causeway/core' + entry)
const { createTestDatabase } = await import('@causeway/core/testing')
await createTestDatabase({ packages: [] }).catch(({ message }) => console.log(message))
`
