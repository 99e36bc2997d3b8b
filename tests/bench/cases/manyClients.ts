import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { numbers } from './quotes.js'

const CLIENTS = 200

/** (j) Bridge quotes of many clients at once, each asking again when it was answered: nobody waits long after the others. */
export const measureManyClients = async (world: BenchWorld): Promise<Measurement[]> => {
  const { rounds, requests } = world.scale
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const { returning, fresh } = quoteBodies(world)
  const mixed = (index: number): string => (index % 2 === 0 ? returning(index >> 1) : fresh())
  const clients = async () =>
    numbers(
      await runLoad({ url: host.url, path: '/quote', body: mixed, connections: CLIENTS, requests: requests + CLIENTS }),
    )
  await clients()
  const { clients: found } = await interleave(rounds, { clients }, (round) => {
    world.say(`${CLIENTS} clients: round ${round + 1} of ${rounds}`)
  })
  await world.stopHost(host)
  const { p50 = Number.NaN, p99 = Number.NaN, perSecond = Number.NaN } = found
  const shared = { case: 'j', unit: 'ms' }
  return [
    { ...shared, what: `bridge quotes of ${CLIENTS} clients, p50`, value: p50 },
    {
      ...shared,
      what: `bridge quotes of ${CLIENTS} clients, p99`,
      value: p99,
      floor: p50,
      floorIs: 'p50 of the same requests',
      target: { of: 'ratio', limit: 10, better: 'less' },
    },
    { ...shared, what: `bridge quotes of ${CLIENTS} clients, throughput`, unit: '/s', value: perSecond },
  ]
}
