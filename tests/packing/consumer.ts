/** A deployment's own plugin, chain package and configuration, as a stranger would write them. */
export const CONSUMER = `
import { type ChainAdapter, definePlugin, defineChainPackage, defineRoute, formatAmount } from '@causeway/core'
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
})
`

/** Imports the packages named on its command line and prints the URL of every module that was loaded. */
export const LOADED_MODULES = `
import { register } from 'node:module'
import { createRequire } from 'node:module'
const { MessageChannel } = await import('node:worker_threads')
const { port1, port2 } = new MessageChannel()
const urls = []
port1.on('message', (url) => urls.push(url))
port1.unref()
register('data:text/javascript,' + encodeURIComponent(\`
  let port
  export const initialize = (data) => { port = data.port }
  export const load = async (url, context, next) => { port.postMessage(url); return next(url, context) }
\`), { data: { port: port2 }, transferList: [port2] })
await import('reflect-metadata')
for (const name of process.argv.slice(2)) await import(name)
await new Promise((resolve) => setTimeout(resolve, 100))
console.log([...urls, ...Object.keys(createRequire(import.meta.url).cache)].join('\\n'))
`
