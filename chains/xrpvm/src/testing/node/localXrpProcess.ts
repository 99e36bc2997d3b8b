import { parseArgs } from 'node:util'
import { openLocalXrp } from './openLocalXrp.js'

/** A local ledger in a process of its own; ends at SIGTERM. Says `Listening on 127.0.0.1:port` once it serves. */
const main = async (): Promise<void> => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { port: text, 'block-ms': text, 'network-id': text } })
  const running = await openLocalXrp({
    port: Number(values.port ?? 0),
    blockMs: Number(values['block-ms'] ?? 1000),
    networkId: Number(values['network-id'] ?? 0),
  })
  console.log(`Listening on 127.0.0.1:${running.port}`)
  const end = () => void running.close().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

await main()
