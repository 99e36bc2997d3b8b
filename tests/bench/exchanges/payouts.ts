import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import type { Cell, MatrixKind } from '../../transfers/matrixCells.js'
import { closeChains, networkOf, startChains } from '../../transfers/matrixChains.js'
import { chainTestingOf } from '../../transfers/servedChain.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { percentile } from '../rounds.js'
import type { Measurement } from '../table.js'
import { type Exchange, nextTransfer } from './exchanges.js'
import { startSubmitProxy } from './submitProxy.js'

const LIMIT_MS = 100
/** Dollars of one transfer. */
const DOLLARS = 150n
const MANY_DOLLARS = 200_000n

/** (B) From the time at which the ledger of an exchange has a deposit until the payout is posted to another one. */
export const measurePayouts = async (world: BenchWorld, exchange: Exchange): Promise<Measurement[]> => {
  const { scale, say, createDatabase } = world
  const kind: MatrixKind = { package: exchange.package, usd: 1n, testing: await chainTestingOf(exchange.package) }
  const { symbol } = exchange
  const user: Cell = { from: kind, to: kind, symbol, into: symbol, end: 'success', name: 'bench' }
  const chains = await startChains([kind], [user])
  const [origin, destination] = chains
  if (origin === undefined || destination === undefined) throw new Error('There are no two exchanges')
  const proxy = await startSubmitProxy(destination.local.endpoint.http, exchange.submit)
  try {
    const network = networkOf([kind], chains)
    const rpc = { [destination.id]: [{ ...destination.local.endpoint, http: proxy.http }] }
    const proxied = { ...network, chains: network.chains.map((one) => ({ ...one, rpc: rpc[one.id] ?? one.rpc })) }
    const options = { network: proxied, databaseUrl: await createDatabase() }
    const host = await startHostProcess({
      ...{ ...options, longLife: scale.longLife, solver: { withdrawals: false } },
      morePlugins: ['@causeway/plugin-gasless'].map((name) => ({ package: name })),
    })
    const walletKeys = Object.fromEntries(chains.map(({ id, users }) => [id, users.map((key) => key.walletKey)]))
    const client = await UserClient.open(
      { host: network, walletKeys },
      { url: host.url, apiKey: await createApiKey(options) },
    )
    const unit = 10n ** BigInt(kind.testing.native.decimals)
    for (const { address } of origin.users) await origin.local.fund(address, MANY_DOLLARS * unit)
    const amount = DOLLARS * unit
    const one = async (): Promise<number> => {
      const quote = await client.quote({ from: origin.id, to: destination.id, symbol, amount })
      const [posted, arrived] = [proxy.next(), nextTransfer(exchange, origin)]
      // Where the payment fails, nobody waits for it.
      arrived.catch(() => undefined)
      await client.pay(quote, { from: origin.id })
      const took = (await posted) - (await arrived)
      await client.waitFor(quote.requestId, ['success'])
      return took
    }
    try {
      const times: number[] = []
      // Each waits for blocks and polls: seconds.
      const count = Math.ceil(scale.transfersPerRound / 4)
      for (let round = 0; round < 2; round += 1) {
        say(`payouts on ${exchange.name}: ${round === 0 ? 'warm-up' : 'measured'}`)
        // Plans of statements and compiled code are there after as many.
        times.length = 0
        for (let at = 0; at < count; at += 1) times.push(await one())
      }
      const sorted = Float64Array.from(times).sort()
      return [
        {
          case: 'B',
          what: `ledger's own update of a deposit on ${exchange.name} to payout posted, p50`,
          unit: 'ms',
          value: percentile(sorted, 0.5),
          target: { of: 'value', limit: LIMIT_MS, better: 'less' },
        },
      ]
    } finally {
      host.signal('SIGTERM')
      await host.ended
    }
  } finally {
    await proxy.close()
    await closeChains(chains)
  }
}
