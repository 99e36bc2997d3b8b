import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { NodeServer } from './nodeServer.js'

/** Runs a local ledger in a process of its own, until SIGTERM. Logs `Listening on 127.0.0.1:<port>` when it serves. */
const main = async (): Promise<void> => {
  const text = { type: 'string' } as const
  const { module = '', options = '{}' } = parseArgs({ options: { module: text, options: text } }).values
  // CAST: `runLedger` names a module with this export.
  const { open } = (await import(pathToFileURL(module).href)) as { open(options: object): Promise<NodeServer> }
  const server = await open(JSON.parse(options))
  console.log(`Listening on 127.0.0.1:${server.port}`)
  const end = () => void server.close().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

await main()
