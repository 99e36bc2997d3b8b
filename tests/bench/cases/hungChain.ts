import { createServer, type Socket } from 'node:net'
import { NATIVE } from '../../harness/localNetwork.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'
import { numbers } from './quotes.js'

const HUNG_CHAIN = 70_003
const HOSTS = ['without', 'with'] as const

/** (k) Quotes between two healthy chains, beside a third whose node takes connections and never answers, and without it. */
export const measureHungChain = async (world: BenchWorld): Promise<Measurement[]> => {
  const { rounds, requests } = world.scale
  const node = await startSilentNode()
  const hosts = {
    without: await world.startHost({ databaseUrl: await world.createDatabase() }),
    with: await world.startHost({
      databaseUrl: await world.createDatabase(),
      moreChains: [hungChain(world, node.url)],
    }),
  }
  for (const name of HOSTS) await waitUntilQuoting(world, hosts[name].url)
  const run = (url: string) => {
    const { fresh } = quoteBodies(world)
    return async () => numbers(await runLoad({ url, path: '/quote', body: fresh, connections: 1, requests }))
  }
  const contestants = { without: run(hosts.without.url), with: run(hosts.with.url) }
  for (const name of HOSTS) await contestants[name]()
  const results = await interleave(rounds, contestants, (round) => {
    world.say(`a chain that hangs: round ${round + 1} of ${rounds}`)
  })
  for (const name of HOSTS) await world.stopHost(hosts[name])
  await node.close()
  const line = (key: string, limit: number): Measurement => ({
    case: 'k',
    what: `POST /quote, fresh users, beside a chain that hangs, ${key}`,
    unit: 'ms',
    value: results.with[key] ?? Number.NaN,
    floor: results.without[key] ?? Number.NaN,
    floorIs: 'the same without that chain',
    target: { of: 'ratio', limit, better: 'less' },
  })
  return [line('p50', 1.15), line('p99', 1.5)]
}

const hungChain = ({ network }: BenchWorld, url: string): Readonly<Record<string, unknown>> => {
  const [{ depository, fillRouter }] = network.chains
  return {
    id: HUNG_CHAIN,
    slug: 'silent',
    name: 'silent',
    package: '@causeway/chain-evm',
    rpc: [{ http: url }],
    currencies: [{ address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }],
    solver: network.roles.solver.address,
    options: { depository, fillRouter, startBlock: 0, pollIntervalMs: 100 },
  }
}

/** Takes connections and what comes over them; says nothing. */
const startSilentNode = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // The other side's loss of patience is no failure here.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
