import type { HostProcess } from '../../harness/host/hostProcess.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { PaymentWatch } from '../paymentWatch.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { TransferSource } from '../transfers.js'

const CONNECTIONS = 16
const USERS = [0, 1] as const

/** (g) Quotes and fills a second with one host and with two over one database; fills go both ways at once. */
export const measureHosts = async (world: BenchWorld): Promise<Measurement[]> => {
  const databaseUrl = await world.createDatabase()
  const first = await world.startHost({ databaseUrl })
  await waitUntilQuoting(world, first.url)
  const one = await fillsBothWays(world, first)
  const second = await world.startHost({ databaseUrl })
  await waitUntilQuoting(world, second.url)
  const two = await fillsBothWays(world, first)
  const results = await interleave(
    world.scale.rounds,
    { one: () => quoteRate(world, [first]), two: () => quoteRate(world, [first, second]) },
    (round) => world.say(`hosts: round ${round + 1} of ${world.scale.rounds}`),
  )
  await world.stopHost(second)
  await world.stopHost(first)
  const shared = { case: 'g', unit: '/s', floorIs: 'one host' }
  const quotes = { floor: results.one.perSecond ?? Number.NaN, value: results.two.perSecond ?? Number.NaN }
  return [
    { ...shared, what: 'quotes with two hosts', ...quotes },
    { ...shared, what: 'fills with two hosts', value: two, floor: one },
  ]
}

const quoteRate = async (world: BenchWorld, hosts: readonly HostProcess[]): Promise<Record<string, number>> => {
  const { returning } = quoteBodies(world)
  const loads = await Promise.all(
    hosts.map(({ url }) =>
      runLoad({
        url,
        path: '/quote',
        connections: CONNECTIONS / hosts.length,
        requests: (world.scale.requests * 2) / hosts.length,
        body: returning,
      }),
    ),
  )
  return { perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0) }
}

/** Fills a second from the first deposit sent to the last payment seen, half of them each way. */
const fillsBothWays = async (world: BenchWorld, host: HostProcess): Promise<number> => {
  const count = world.scale.burst / 2
  const directions = await Promise.all(
    USERS.map(async (user) => {
      const source = await TransferSource.open(world, user, user === 1)
      const watch = await PaymentWatch.open(source.destination)
      return { source, watch, transfers: await source.prepare(host.url, count) }
    }),
  )
  const startedAt = performance.now()
  await Promise.all(
    directions.map(async ({ source, watch, transfers }) => {
      await source.depositor.sendAll(transfers.map(({ deposit }) => deposit))
      await Promise.all(transfers.map(({ recipient }) => watch.paid(recipient)))
      watch.close()
    }),
  )
  return (2 * count * 1_000) / (performance.now() - startedAt)
}
