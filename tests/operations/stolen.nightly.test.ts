import { testTokenAbi } from '@causeway/contracts-abi'
import type { Diagnosis } from '@causeway/core/chain'
import { runDoctor } from '@causeway/host'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { hostCommand } from '../harness/host/hostProcess.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, nativeBody, postQuote, startHttpWorld, tokenBody } from '../http/httpWorld.js'
import { readExposition } from './exposition.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startHttpWorld()
})
afterAll(() => world?.close())

const solver = () => world.network.roles.solver

/** A gauge of every wallet, in whole units, by `chain currency`. */
const gauge = async (name: string): Promise<Map<string, number>> => {
  const series = readExposition((await callApi(world.host.url, '/metrics')).text)
  const own = series.filter((item) => item.name === name)
  expect(own.map(({ labels }) => labels.signer)).toEqual(own.map(() => solver().address))
  return new Map(own.map(({ labels, value }) => [`${labels.chain} ${labels.currency}`, value]))
}

const notZero = (values: ReadonlyMap<string, number>) => [...values].filter(([, value]) => value !== 0)

const findings = async (): Promise<readonly Diagnosis[]> => {
  const { args, env } = await hostCommand({ network: world.network, databaseUrl: world.database.url })
  const found = await runDoctor({ configPath: args[3] ?? '', timeoutMs: 5_000, environment: env })
  return found.filter(({ check }) => check === 'wallet and books')
}

const transfer = async (user: number, token: boolean): Promise<void> => {
  const { address } = userOf(world.network, user)
  const own = { user: address, recipient: freshAddress() }
  const answer = await postQuote(world, token ? tokenBody(world, own) : nativeBody(world, own))
  expect(answer.status).toBe(200)
  // CAST: the tests of the quote's shape check it.
  await executeQuote(world.network.chains[0].chain, userOf(world.network, user), answer.body as QuoteAnswer)
}

const observedTimes = async (): Promise<number> => {
  const { rows } = await world.database.pool.query<{ ms: number }>(
    'select extract(epoch from min(observed_at))::float8 as ms from inventory',
  )
  return rows[0]?.ms ?? 0
}

describe('F128: wallets beside the books', () => {
  it('agree while transfers are under way, and afterwards', async () => {
    let paying = true
    const wrong: unknown[] = []
    const watching = (async () => {
      while (paying) {
        wrong.push(...notZero(await gauge('causeway_wallet_difference')))
        // A look at the balances later there may be something to see.
        const before = await observedTimes()
        await until('another look at the balances', async () => ((await observedTimes()) > before ? true : null))
      }
    })()
    for (const token of [false, true]) await transfer(0, token)
    await waitForQuiet(world.database.pool)
    paying = false
    await watching
    expect(wrong).toEqual([])
    expect([...(await gauge('causeway_wallet_missing')).keys()].sort()).toContain('harbor USDC')
    expect(await findings()).toMatchObject([{ state: 'ok' }])
  })

  it('money sent away with the payout key is missing: metrics and doctor say where and how much', async () => {
    const [origin, destination] = world.network.chains
    const data = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [freshAddress(), 400_000_000n],
    })
    await receiptOf(origin.chain, await origin.chain.send(solver(), { to: origin.usdc, data }))
    const native = { to: freshAddress(), data: '0x', value: ether('400') } as const
    await receiptOf(destination.chain, await destination.chain.send(solver(), native))
    const missing = await until('both thefts to be seen', async () => {
      const seen = await gauge('causeway_wallet_missing')
      return (seen.get('harbor USDC') ?? 0) > 0 && (seen.get('lagoon ETH') ?? 0) > 0 ? seen : null
    })
    expect(
      notZero(missing)
        .map(([wallet]) => wallet)
        .sort(),
    ).toEqual(['harbor USDC', 'lagoon ETH'])
    expect(missing.get('harbor USDC')).toBe(400)
    expect(missing.get('lagoon ETH')).toBeCloseTo(400, 1)
    expect((await gauge('causeway_wallet_difference')).get('harbor USDC')).toBe(-400)
    const found = await findings()
    expect(found).toContainEqual({
      check: 'wallet and books',
      subject: `harbor ${solver().address}`,
      state: 'fault',
      message: expect.stringMatching(/^holds [\d.]+ USDC: 400 USDC that the books know are missing$/),
      remedy: expect.stringContaining('stop the hosts of role solver'),
    })
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: `lagoon ${solver().address}`,
        state: 'fault',
        message: expect.stringMatching(/400\.\d+ ETH that the books know are missing/),
      }),
    )
    // The gas of the first theft is no alarm, and is said.
    expect(found).toContainEqual(
      expect.objectContaining({
        subject: `harbor ${solver().address}`,
        state: 'warning',
        message: expect.stringMatching(/ETH less than the books say, as much as gas/),
      }),
    )
  })
})
