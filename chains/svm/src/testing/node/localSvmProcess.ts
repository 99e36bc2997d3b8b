import { parseArgs } from 'node:util'
import { openLocalNode } from './openLocalNode.js'

/** A local chain in a process of its own; ends at SIGTERM. Says `Listening on 127.0.0.1:port` once it serves. */
const main = async (): Promise<void> => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { port: text, 'slot-ms': text, genesis: text, 'confirmed-lag': text, 'finalized-lag': text },
  })
  const running = await openLocalNode({
    port: Number(values.port ?? 0),
    slotMs: Number(values['slot-ms'] ?? 400),
    genesisHash: values.genesis ?? '',
    confirmedLag: Number(values['confirmed-lag'] ?? 0),
    finalizedLag: Number(values['finalized-lag'] ?? 4),
  })
  console.log(`Listening on 127.0.0.1:${running.port}`)
  const end = () => void running.close().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

await main()
