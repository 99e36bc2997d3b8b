import { postLedger } from '@causeway/core/money-path'
import { createPool, linkFundingWallet, withTransaction } from '@causeway/core/plugin'
import { newApiKey } from '../../harness/host/host.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { numbers } from '../cases/quotes.js'
import { runLoad } from '../httpLoad.js'
import { quoteBodies } from '../quoteRequests.js'
import { interleave } from '../rounds.js'
import type { Measurement } from '../table.js'

const CASE = 'v'
const CONNECTIONS = 16
const SPONSOR = `0x${'50'.repeat(20)}`

/** A key whose linked wallet has more than all quotes of a run can keep. */
const fundedKey = async (databaseUrl: string, money: { readonly chainId: number; readonly currency: string }) => {
  const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'causeway bench' })
  try {
    const { id, apiKey } = await newApiKey(pool, 'sponsor')
    const { rows } = await pool.query<{ integrator_id: string }>('select integrator_id from api_keys where id = $1', [
      id,
    ])
    const integratorId = rows[0]?.integrator_id ?? ''
    const amount = 10n ** 15n
    const entries = [
      { ...money, account: 'capital' as const, amount },
      { ...money, account: 'app' as const, amount: -amount, holder: SPONSOR },
    ]
    await linkFundingWallet(pool, { integratorId, wallet: SPONSOR, now: Date.now() })
    await withTransaction(pool, (client) =>
      postLedger(client, [{ cause: 'gift:1', event: 'given', entries }], Date.now()),
    )
    return apiKey
  } finally {
    await pool.end()
  }
}

/** `POST /quote` whose fees a sponsor pays against the same with the same key and without: what each quote keeps of one balance included. */
export const measureSponsoredQuotes = async (world: BenchWorld): Promise<Measurement[]> => {
  const [{ chain, usdc }] = world.network.chains
  const balances = { chainId: chain.chainId, currency: usdc.toLowerCase() }
  const databaseUrl = await world.createDatabase()
  const host = await world.startHost({
    databaseUrl,
    config: { balances },
    morePlugins: [{ package: '@causeway/plugin-sponsorship' }],
  })
  await waitUntilQuoting(world, host.url)
  const headers = `x-api-key: ${await fundedKey(databaseUrl, balances)}\r\n`
  const { returning } = quoteBodies(world)
  const sponsored = (index: number) => JSON.stringify({ ...JSON.parse(returning(index)), subsidizeFees: true })
  const { requests, rounds } = world.scale
  const run = (body: (index: number) => string, connections: number) => async () =>
    numbers(
      await runLoad({ ...{ url: host.url, path: '/quote', body, connections }, headers: () => headers, requests }),
    )
  const contestants = Object.fromEntries(
    [1, CONNECTIONS].flatMap((connections) => [
      [`plain ${connections}`, run(returning, connections)],
      [`sponsored ${connections}`, run(sponsored, connections)],
    ]),
  )
  for (const contestant of Object.values(contestants)) await contestant()
  const results = await interleave<string>(rounds, contestants, (round) =>
    world.say(`sponsored quotes: round ${round + 1} of ${rounds}`),
  )
  await world.stopHost(host)
  const of = (name: string, key: string): number => results[name]?.[key] ?? Number.NaN
  const shared = { case: CASE, floorIs: 'the same quote with the same key, not sponsored' } as const
  const single = { value: of('sponsored 1', 'p50'), floor: of('plain 1', 'p50') }
  const many = `${CONNECTIONS} connections`
  return [
    {
      ...{ ...shared, ...single, unit: 'ms', what: 'a quote that is sponsored, 1 connection, p50' },
      target: { of: 'ratio', limit: 1.3, better: 'less' },
    },
    {
      ...shared,
      what: `a quote that is sponsored, ${many}, p50`,
      unit: 'ms',
      value: of(`sponsored ${CONNECTIONS}`, 'p50'),
      floor: of(`plain ${CONNECTIONS}`, 'p50'),
    },
    {
      ...shared,
      what: `quotes that are sponsored, ${many}, throughput`,
      unit: '/s',
      value: of(`sponsored ${CONNECTIONS}`, 'perSecond'),
      floor: of(`plain ${CONNECTIONS}`, 'perSecond'),
    },
  ]
}
