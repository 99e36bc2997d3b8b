import { coreMigrations } from '@causeway/core/host'
import { createPool, linkFundingWallet, readAppBalances } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { depositToken } from '../harness/depositing.js'
import { newApiKey } from '../harness/host/host.js'
import { type HostProcess, spawnHost, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { MONEY } from './killPlaces.js'

const DOLLAR = 1_000_000n
const WALLET = `0x${'f1'.repeat(20)}`
const TOP_UP = 5_000n * DOLLAR
const AMOUNT = 25n * DOLLAR
/** What is set aside for it: a per cent more. */
const COLLATERAL = (AMOUNT * 101n) / 100n

interface StartOptions {
  readonly failpoint?: string
  readonly orderDeadlineSeconds?: number
}

/** Adds the tests: hosts die at each failpoint over fast fills, each of which is filled once and paid for once. */
export const testFastFillKills = (places: readonly string[]): void => {
  let network: LocalNetwork
  let database: TestDatabase
  let pool: Pool
  let apiKey: string
  const running: HostProcess[] = []

  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  })
  afterAll(async () => {
    for (const host of running) host.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await pool?.end()
    await database?.drop()
    await network?.close()
  })

  const spawn = async (
    roles: readonly string[],
    { failpoint, orderDeadlineSeconds }: StartOptions = {},
    begin = spawnHost,
  ): Promise<HostProcess> => {
    const [{ chain, usdc }] = network.chains
    const host = await begin({
      network,
      databaseUrl: database.url,
      roles,
      ...(orderDeadlineSeconds === undefined ? {} : { quote: { orderDeadlineSeconds } }),
      morePlugins: [{ package: '@causeway/plugin-fast-fill' }],
      config: { balances: { chainId: chain.chainId, currency: usdc } },
      ...(failpoint === undefined ? {} : { failpoint }),
    })
    running.push(host)
    return host
  }
  const start = (roles: readonly string[], options: StartOptions = {}) => spawn(roles, options, startHostProcess)

  const quote = (url: string): Promise<QuoteAnswer> =>
    until('a quote', async () => {
      const [origin, destination] = network.chains
      const body = {
        user: userOf(network, 0).address,
        recipient: freshAddress(),
        originChainId: origin.chain.chainId,
        destinationChainId: destination.chain.chainId,
        originCurrency: origin.usdc,
        destinationCurrency: destination.usdc,
        amount: AMOUNT.toString(),
        tradeType: 'EXACT_INPUT',
      }
      const answer = await callApi(url, '/quote', { body, apiKey })
      // CAST: the shape is the quote schema's, checked by the plugin's own tests.
      return answer.status === 200 ? (answer.body as QuoteAnswer) : null
    })

  const ask = (url: string, { requestId }: QuoteAnswer) => callApi(url, '/fast-fill', { body: { requestId }, apiKey })

  const topUp = (amount: bigint): Promise<string> => {
    const [origin] = network.chains
    const marker = `0x012345abcdef${WALLET.slice(2)}012345abcdef` as const
    return depositToken(origin, userOf(network, 1), origin.usdc, marker, amount)
  }

  const free = async (): Promise<bigint> => (await readAppBalances(pool, WALLET))[0]?.app ?? 0n

  const finished = () =>
    until(
      'every fast fill to be over',
      async () => {
        const { rows } = await pool.query<{ open: number }>(
          `select (select count(*) from fast_fills where next_action is not null)::int
             + (select count(*) from deposits where holder is not null and outcome is null)::int as open`,
        )
        return rows[0]?.open === 0 ? true : null
      },
      120_000,
    )

  it(`F39, F70: hosts killed at ${places.length} failpoints fill each order once, and its balance pays for it once`, {
    timeout: 900_000,
  }, async () => {
    const [origin, destination] = network.chains
    const api = await start(['api'])
    // An order without a deposit is debited at its deadline, which must come while the test runs. Other orders get the usual deadline.
    const brief = places.some(isDebit) ? await start(['api'], { orderDeadlineSeconds: 60 }) : api
    const made = await newApiKey(pool, 'kills')
    apiKey = made.apiKey
    const { rows } = await pool.query<{ id: string }>('select integrator_id as id from api_keys where id = $1', [
      made.id,
    ])
    await linkFundingWallet(pool, { integratorId: rows[0]?.id ?? '', wallet: WALLET, now: Date.now() })
    const orders: QuoteAnswer[] = []
    let [credited, debited] = [0n, 0n]
    const deposit = ({ protocol }: QuoteAnswer) =>
      depositToken(origin, userOf(network, 0), origin.usdc, protocol.v2.orderId, AMOUNT)

    for (const failpoint of places) {
      let host: HostProcess
      if (failpoint.startsWith('credit.')) {
        await topUp(TOP_UP)
        credited += TOP_UP
        host = await spawn(MONEY, { failpoint })
      } else if (failpoint.startsWith('fast-fill.accept.')) {
        host = await start(['api'], { failpoint })
        const order = await quote(host.url)
        orders.push(order)
        await expect(ask(host.url, order)).rejects.toThrow()
        // Whether the killed host accepted the order or not, a repeated request succeeds.
        expect((await ask(api.url, order)).status).toBe(200)
        await deposit(order)
      } else {
        host = await spawn(MONEY, { failpoint })
        await until('a top-up', async () => ((await free()) > AMOUNT * 2n ? true : null))
        const { url } = isDebit(failpoint) ? brief : api
        const order = await quote(url)
        orders.push(order)
        expect((await ask(url, order)).status).toBe(200)
        if (isDebit(failpoint)) debited += COLLATERAL
        else await deposit(order)
      }
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    await start(MONEY)
    await finished()
    await waitForQuiet(pool)
    await until('the books to agree', async () => ((await findDiscrepancies(pool, network)).length === 0 ? true : null))
    const paid = await paymentsByOrder(destination, network.roles.solver.address)
    const back = await paymentsByOrder(origin, network.roles.solver.address)
    for (const { protocol } of orders) {
      expect(paid.get(protocol.v2.orderId)).toMatchObject({ fills: 1, excess: 0 })
      expect(back.get(protocol.v2.orderId)?.fills ?? 0).toBe(0)
    }
    expect(await readAppBalances(pool, WALLET)).toMatchObject([
      { app: credited - debited, collateral: 0n, exposure: 0n },
    ])
  })
}

const isDebit = (failpoint: string): boolean => failpoint.startsWith('fast-fill.debit.')
