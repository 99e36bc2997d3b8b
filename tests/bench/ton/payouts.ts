import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { startTonWorld, type TonWorld } from './tonWorld.js'

const POLL_MS = 1_000
const NANOTONS = 20_000_000_000n
const LIMIT_MS = 50

/** (z) From a node's first answer with a deposit until the message of the payout is sent to a node of another network. */
export const measurePayouts = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale, say } = world
  const ton = await startTonWorld({ pollIntervalMs: POLL_MS })
  try {
    const transfer = await serve(world, ton)
    try {
      await transfer.one()
      const times = new Float64Array(scale.transfersPerRound)
      say(`payouts on TON: ${times.length}`)
      for (let at = 0; at < times.length; at += 1) times[at] = await transfer.one()
      times.sort()
      return verdictOf(times)
    } finally {
      await transfer.close()
    }
  } finally {
    await ton.close()
  }
}

const WHAT = "node's answer with a deposit on TON to payout sent to a node"

const verdictOf = (times: Float64Array): Measurement[] => [
  {
    case: 'z',
    what: `${WHAT}, p50`,
    unit: 'ms',
    value: percentile(times, 0.5),
    target: { of: 'value', limit: LIMIT_MS, better: 'less' },
  },
  { case: 'z', what: `${WHAT}, p90`, unit: 'ms', value: percentile(times, 0.9) },
]

/** A host over both networks behind proxies, and a user who pays past them; `one` is the milliseconds of one transfer. */
const serve = async ({ createDatabase, scale }: BenchWorld, ton: TonWorld) => {
  const { origin, destination, proxies } = ton
  const options = { network: ton.proxied, databaseUrl: await createDatabase() }
  const host = await startHostProcess({ ...options, longLife: scale.longLife, solver: { withdrawals: false } })
  const apiKey = await createApiKey(options)
  for (const { address } of origin.users) await origin.local.fund(address, 100_000n * NANOTONS)
  const client = await UserClient.open(ton, { url: host.url, apiKey })
  return {
    one: async (): Promise<number> => {
      const quote = await client.quote({ from: origin.id, to: destination.id, symbol: 'TON', amount: NANOTONS })
      const passed = proxies.passed(quote.protocol.v2.orderId)
      await client.pay(quote, { from: origin.id })
      const { answered, sent } = await passed
      await client.waitFor(quote.requestId, ['success'])
      return sent - answered
    },
    close: async () => {
      host.signal('SIGTERM')
      await host.ended
    },
  }
}
