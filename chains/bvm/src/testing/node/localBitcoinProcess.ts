import { parseArgs } from 'node:util'
import { startLocalBitcoin } from './localBitcoin.js'

/** A local chain in a process of its own; ends at SIGTERM. Says `Listening on 127.0.0.1:port` once it serves. */
const main = async (): Promise<void> => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { port: text, 'block-ms': text } })
  const chain = await startLocalBitcoin({ port: Number(values.port ?? 0), blockMs: Number(values['block-ms'] ?? 1000) })
  console.log(`Listening on ${new URL(chain.url).host}`)
  const end = () => void chain.close().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

await main()
