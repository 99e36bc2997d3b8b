import { setTimeout as delay } from 'node:timers/promises'
import { BitcoinClient } from '../../bitcoin/bitcoinClient.js'
import { type BitcoinNetwork, BVM_ID, EVM_ID, startBitcoinNetwork } from '../../bitcoin/bitcoinNetwork.js'
import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import type { BenchWorld } from '../benchWorld.js'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'

const LIMIT_MS = 50
const POLL_MS = 20
const STATUS_MS = 3
const PATIENCE_MS = 30_000
const SATOSHIS = 50_000n

/** (r) From a deposit that a node has in its mempool until the service says `pending`, against the bare polling of the node. */
export const measureMempoolDeposits = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale, say } = world
  const network = await startBitcoinNetwork()
  const chains = network.host.chains.map((chain) =>
    chain.id === BVM_ID ? { ...chain, options: { ...Object(chain.options), pollIntervalMs: POLL_MS } } : chain,
  )
  const databaseUrl = await world.createDatabase()
  const host = await startHostProcess({
    network: { ...network.host, chains },
    databaseUrl,
    longLife: world.scale.longLife,
  })
  try {
    const apiKey = await createApiKey({ network: network.host, databaseUrl })
    const client = await BitcoinClient.open(network, { url: host.url, apiKey })
    const times = { service: [] as number[], bare: [] as number[] }
    for (let at = 0; at < scale.transfersPerRound; at += 1) {
      say(`deposits of Bitcoin: ${at + 1} of ${scale.transfersPerRound}`)
      const request = { from: BVM_ID, to: EVM_ID, satoshis: SATOSHIS, user: at % 10 } as const
      const quote = await client.quote(request)
      network.miner.pause()
      const bare = polled(network)
      const id = await client.pay(quote, request)
      const sentAt = performance.now()
      const seen = bare(id)
      while ((await client.status(quote.requestId)).status !== 'pending') await delay(STATUS_MS)
      times.service.push(performance.now() - sentAt)
      times.bare.push((await seen) - sentAt)
      network.miner.resume()
      await client.waitFor(quote.requestId, ['success'])
    }
    const p50 = (values: readonly number[]) =>
      percentile(
        [...values].sort((left, right) => left - right),
        0.5,
      )
    const [value, floor] = [p50(times.service), p50(times.bare)]
    return [
      {
        case: 'r',
        what: 'a deposit in the mempool to pending, p50',
        unit: 'ms',
        value,
        floor,
        floorIs: 'a script that polls the same node as often',
      },
      {
        case: 'r',
        what: 'of that from when the node shows it on, p50',
        unit: 'ms',
        value: Math.max(0.1, value - floor),
        target: { of: 'value', limit: LIMIT_MS, better: 'less' },
      },
    ]
  } finally {
    host.signal('SIGTERM')
    await host.ended
    await network.close()
  }
}

/** Polls the depository's address at the node from now on; tells when it first showed a transaction. */
const polled = ({ bitcoin, vault }: BitcoinNetwork) => {
  const seenAt = new Map<string, number>()
  let wanted = ''
  const run = (async () => {
    const deadline = performance.now() + PATIENCE_MS
    while (performance.now() < deadline) {
      const response = await fetch(`${bitcoin.url}/address/${vault.addresses.p2wpkh}/txs/mempool`)
      // CAST: Esplora's own answer.
      for (const { txid } of (await response.json()) as readonly { readonly txid: string }[]) {
        if (!seenAt.has(txid)) seenAt.set(txid, performance.now())
      }
      const at = seenAt.get(wanted)
      if (at !== undefined) return at
      await delay(POLL_MS)
    }
    throw new Error('The node showed no deposit')
  })()
  run.catch(() => undefined)
  return (txId: string): Promise<number> => {
    wanted = txId
    return run
  }
}
