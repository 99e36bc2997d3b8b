import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchWorld, startScript, waitUntilQuoting } from '../benchWorld.js'
import { type LoadResult, runLoad } from '../httpLoad.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const CONNECTIONS = 16
const RETURNING_USERS = 50

const freshUser = (): string => `0x${randomBytes(20).toString('hex')}`

/** Bodies of quotes from native to native, by users the service has not seen or by some that come back. */
export const quoteBodies = ({ network }: BenchWorld) => {
  const [harbor, lagoon] = network.chains
  const returning = Array.from({ length: RETURNING_USERS }, freshUser)
  const body = (user: string) =>
    JSON.stringify({
      user,
      recipient: user,
      originChainId: harbor.chain.chainId,
      destinationChainId: lagoon.chain.chainId,
      originCurrency: harbor.usdc,
      destinationCurrency: lagoon.usdc,
      amount: '10000000',
      tradeType: 'EXACT_INPUT',
    })
  return {
    fresh: () => body(freshUser()),
    returning: (index: number) => body(returning[index % RETURNING_USERS] ?? freshUser()),
  }
}

/** A quote as the host answers it, for the floor to repeat. */
const saveQuote = async (url: string, body: string): Promise<string> => {
  const response = await fetch(`${url}/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const path = join(mkdtempSync(join(tmpdir(), 'causeway-bench-')), 'quote.json')
  writeFileSync(path, await response.text())
  return path
}

const numbers = ({ p50, p99, perSecond, failures }: LoadResult): Record<string, number> => {
  if (failures > 0) throw new Error(`${failures} requests of a round failed`)
  return { p50, p99, perSecond }
}

/** (a) `POST /quote` and `POST /price` against Koa, router, body parser and ajv with a fixed answer. */
export const measureQuotes = async (world: BenchWorld): Promise<Measurement[]> => {
  const host = await world.startHost({ databaseUrl: await world.createDatabase() })
  await waitUntilQuoting(world, host.url)
  const bodies = quoteBodies(world)
  const floor = startScript('quoteFloor.js', [await saveQuote(host.url, bodies.returning(0))])
  const floorUrl = `http://127.0.0.1:${await floor.said('port')}`
  const { requests, rounds } = world.scale
  const run = (url: string, path: string, body: (index: number) => string, connections: number) => async () =>
    numbers(await runLoad({ url, path, body, connections, requests: connections === 1 ? requests : requests * 2 }))
  const contestants = Object.fromEntries(
    [1, CONNECTIONS].flatMap((connections) => [
      [`floor ${connections}`, run(floorUrl, '/quote', bodies.returning, connections)],
      [`quote returning ${connections}`, run(host.url, '/quote', bodies.returning, connections)],
      [`quote fresh ${connections}`, run(host.url, '/quote', bodies.fresh, connections)],
      [`price returning ${connections}`, run(host.url, '/price', bodies.returning, connections)],
      [`price fresh ${connections}`, run(host.url, '/price', bodies.fresh, connections)],
    ]),
  )
  for (const contestant of Object.values(contestants)) await contestant()
  const results = await interleave(rounds, contestants, (round) => world.say(`quotes: round ${round + 1} of ${rounds}`))
  await floor.stop()
  await world.stopHost(host)
  return [1, CONNECTIONS].flatMap((connections) => measurementsOf(results, connections))
}

const measurementsOf = (
  results: Readonly<Record<string, Readonly<Record<string, number>>>>,
  connections: number,
): Measurement[] => {
  const floor = results[`floor ${connections}`]
  const single = connections === 1
  return ['quote', 'price'].flatMap((path) =>
    ['returning', 'fresh'].flatMap((users): Measurement[] => {
      const result = results[`${path} ${users} ${connections}`]
      const shared = { case: 'a', floorIs: 'Koa + router + body parser + ajv, fixed answer' }
      const what = `POST /${path}, ${users} users, ${connections} connection${single ? '' : 's'}`
      const limit = path === 'quote' ? 4 : 2
      const bare = (key: string) => ({ value: result?.[key] ?? Number.NaN, floor: floor?.[key] ?? Number.NaN })
      return [
        {
          ...shared,
          what: `${what}, p50`,
          unit: 'ms',
          ...bare('p50'),
          ...(single ? { target: { of: 'ratio', limit, better: 'less' } } : {}),
        },
        { ...shared, what: `${what}, p99`, unit: 'ms', ...bare('p99') },
        {
          ...shared,
          what: `${what}, throughput`,
          unit: '/s',
          ...bare('perSecond'),
          ...(path === 'quote' && !single ? { target: { of: 'ratio', limit: 0.3, better: 'more' } } : {}),
        },
      ]
    }),
  )
}
