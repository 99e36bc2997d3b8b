import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import type { Cell, MatrixKind } from '../../transfers/matrixCells.js'
import { closeChains, networkOf, startChains } from '../../transfers/matrixChains.js'
import { chainTestingOf } from '../../transfers/servedChain.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { type ListeningProxies, startListeningProxies } from './listeningProxies.js'
import { startPayoutFloor } from './startPayoutFloor.js'

const PACKAGE = '@causeway/chain-hederavm'
const POLL_MS = 1_000
const TINYBARS = 20_000_000_000n
const LIMIT_MS = 50

/**
 * (y) From a mirror node's first answer with a deposit until the payout is sent to a consensus node of another network, less what a bare
 * script takes.
 */
export const measurePayouts = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale, say } = world
  const kind: MatrixKind = { package: PACKAGE, usd: 1n, testing: await chainTestingOf(PACKAGE) }
  const user: Cell = { from: kind, to: kind, symbol: 'HBAR', into: 'HBAR', end: 'success', name: 'bench' }
  const chains = await startChains([kind], [user])
  const proxies = startListeningProxies()
  try {
    const host = await serve(world, { kind, chains, proxies })
    const script = await startPayoutFloor({ kind, chains, proxies, pollMs: POLL_MS, tinybars: TINYBARS })
    // Each waits for blocks and polls: seconds.
    const count = Math.ceil(scale.transfersPerRound / 4)
    const contestants = {
      causeway: () => sampled(count, host.one),
      floor: () => sampled(count, script.one),
    }
    try {
      // Plans of statements and compiled code are there after as many.
      await sampled(1, script.one)
      await sampled(scale.transfersPerRound, host.one)
      const { causeway, floor } = await interleave(scale.rounds, contestants, (round) =>
        say(`payouts on Hedera: round ${round + 1}`),
      )
      return verdictOf(causeway, floor)
    } finally {
      await script.close()
      await host.close()
    }
  } finally {
    await proxies.close()
    await closeChains(chains)
  }
}

type Times = Record<string, number>

const verdictOf = ({ p50: value = Number.NaN }: Times, { p50: floor = Number.NaN }: Times): Measurement[] => [
  {
    case: 'y',
    what: "mirror node's answer with a deposit to payout sent to a consensus node, p50",
    unit: 'ms',
    value,
    floor,
    floorIs: 'a script that asks as often and pays with the SDK',
  },
  {
    case: 'y',
    what: 'of that added by the service on Hedera, p50',
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

interface Served {
  readonly kind: MatrixKind
  readonly chains: Awaited<ReturnType<typeof startChains>>
  readonly proxies: ListeningProxies
}

/** A host over both networks behind proxies, and a user who pays past them; `one` is the milliseconds of one transfer. */
const serve = async ({ createDatabase, scale }: BenchWorld, { kind, chains, proxies }: Served) => {
  const [origin, destination] = chains
  if (origin === undefined || destination === undefined) throw new Error('There are no two networks')
  const network = networkOf([kind], chains)
  const proxied = await Promise.all(
    network.chains.map(async (chain) => ({
      ...chain,
      rpc: await Promise.all(chain.rpc.map(async ({ http }) => ({ http: await proxies.mirror(http) }))),
      options: { ...chain.options, pollIntervalMs: POLL_MS },
    })),
  )
  const databaseUrl = await createDatabase()
  const options = { network: { ...network, chains: proxied }, databaseUrl }
  const host = await startHostProcess({ ...options, longLife: scale.longLife, solver: { withdrawals: false } })
  const apiKey = await createApiKey(options)
  for (const { address } of origin.users) await origin.local.fund(address, 100_000n * TINYBARS)
  const walletKeys = Object.fromEntries(chains.map(({ id, users }) => [id, users.map(({ walletKey }) => walletKey)]))
  const client = await UserClient.open({ host: network, walletKeys }, { url: host.url, apiKey })
  return {
    one: async (): Promise<number> => {
      const quote = await client.quote({ from: origin.id, to: destination.id, symbol: 'HBAR', amount: TINYBARS })
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
