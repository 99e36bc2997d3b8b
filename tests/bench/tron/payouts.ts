import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { startPayoutFloor } from './startPayoutFloor.js'
import { startTronWorld, type TronWorld } from './tronWorld.js'

const POLL_MS = 1_000
const SUN = 200_000_000n
const LIMIT_MS = 50

/**
 * (A) From a node's first answer with a deposit until the payout is sent to a node of another network, less what a bare script takes.
 */
export const measurePayouts = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale, say } = world
  const tron = await startTronWorld({ pollIntervalMs: POLL_MS })
  try {
    const host = await serve(world, tron)
    const script = await startPayoutFloor(tron, { pollMs: POLL_MS, sun: SUN })
    // Each waits for blocks and polls: seconds.
    const count = Math.ceil(scale.transfersPerRound / 4)
    const contestants = { causeway: () => sampled(count, host.one), floor: () => sampled(count, script.one) }
    try {
      // Plans of statements and compiled code are there after as many.
      await sampled(1, script.one)
      await sampled(scale.transfersPerRound, host.one)
      const { causeway, floor } = await interleave(scale.rounds, contestants, (round) =>
        say(`payouts on Tron: round ${round + 1}`),
      )
      return verdictOf(causeway, floor)
    } finally {
      await script.close()
      await host.close()
    }
  } finally {
    await tron.close()
  }
}

type Times = Record<string, number>

const verdictOf = ({ p50: value = Number.NaN }: Times, { p50: floor = Number.NaN }: Times): Measurement[] => [
  {
    case: 'A',
    what: "node's answer with a deposit on Tron to payout sent to a node, p50",
    unit: 'ms',
    value,
    floor,
    floorIs: 'a script that asks as often and pays with tronweb',
  },
  {
    case: 'A',
    what: 'of that added by the service on Tron, p50',
    unit: 'ms',
    value: Math.max(0.1, value - floor),
    target: { of: 'value', limit: LIMIT_MS, better: 'less' },
  },
]

const sampled = async (count: number, take: () => Promise<number>): Promise<Times> => {
  const times = new Float64Array(count)
  for (let index = 0; index < count; index += 1) times[index] = await take()
  times.sort()
  return { p50: percentile(times, 0.5) }
}

/** A host over both networks behind proxies, and a user who pays past them; `one` is the milliseconds of one transfer. */
const serve = async ({ createDatabase, scale }: BenchWorld, tron: TronWorld) => {
  const { origin, destination, proxies } = tron
  const options = { network: tron.proxied, databaseUrl: await createDatabase() }
  const host = await startHostProcess({ ...options, longLife: scale.longLife, solver: { withdrawals: false } })
  const apiKey = await createApiKey(options)
  for (const { address } of origin.users) await origin.local.fund(address, 100_000n * SUN)
  const client = await UserClient.open(tron, { url: host.url, apiKey })
  return {
    one: async (): Promise<number> => {
      const quote = await client.quote({ from: origin.id, to: destination.id, symbol: 'TRX', amount: SUN })
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
