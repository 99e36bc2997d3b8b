import { batchExecutorAbi, batchExecutorBytecode } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { newApiKey } from '../harness/host/host.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { batchBody, callsOf } from './executing.js'
import { DOLLARS, depositsUnder, gaslessUser, permitBody, type SignedQuote } from './gaslessWorld.js'

/** A call that makes the deposit of a quote. */
interface QuotedCall extends Pick<SignedQuote, 'answer' | 'orderId' | 'recipient'> {
  readonly owner: string
  readonly body: object
}

/** Adds the test: hosts die at each failpoint over calls, each of which is sent once and its order filled once. */
export const testExecuteKills = (places: readonly string[]): void => {
  let network: LocalNetwork
  let database: TestDatabase
  let executor: Address
  let apiKey: string
  const running: HostProcess[] = []

  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    executor = getAddress(await network.chains[0].chain.deploy(batchExecutorAbi, batchExecutorBytecode))
  })
  afterAll(async () => {
    for (const host of running) host.signal('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    await database?.drop()
    await network?.close()
  })

  const start = async (failpoint?: string): Promise<HostProcess> => {
    const options = { network, databaseUrl: database.url, permits: true }
    const host = await startHostProcess({ ...options, ...(failpoint === undefined ? {} : { failpoint }) })
    running.push(host)
    return host
  }

  const callFrom = async ({ url }: HostProcess): Promise<QuotedCall> => {
    const [origin] = network.chains
    const user = await gaslessUser(origin, origin.usdc, DOLLARS[0])
    const { usePermit: _, ...body } = permitBody({ network }, 0, { user: user.address, originGasOverhead: 80_000 })
    const { status, body: answer, text } = await callApi(url, '/quote', { body, apiKey })
    if (status !== 200) throw new Error(`Not quoted: ${text}`)
    return {
      answer,
      // CAST: an order id is hex.
      orderId: textAt(answer, 'protocol.v2.orderId') as SignedQuote['orderId'],
      recipient: String(body.recipient) as SignedQuote['recipient'],
      owner: user.address.toLowerCase(),
      body: await batchBody({ origin, executor }, user, callsOf(answer), { requestId: textAt(answer, 'requestId') }),
    }
  }

  /** What the host answers; null where it died over it. */
  const post = ({ url }: HostProcess, { body }: QuotedCall): Promise<number | null> =>
    callApi(url, '/execute', { body, apiKey }).then(
      ({ status }) => status,
      () => null,
    )

  const ended = ({ url }: HostProcess, { answer }: QuotedCall): Promise<true> =>
    until('the success of a request', async () => {
      const { body } = await callApi(url, `/intents/status/v3?requestId=${textAt(answer, 'requestId')}`)
      return valueAt(body, 'status') === 'success' ? true : null
    })

  it(`a call is sent once, and its order filled once, with hosts killed at each of ${places.length} failpoints (wire.md 2.6)`, {
    timeout: 400_000,
  }, async () => {
    const pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
    const asking = await start()
    apiKey = (await newApiKey(pool, 'kills')).apiKey
    await until('quotes', () => callFrom(asking).catch(() => null))
    const calls: QuotedCall[] = []
    for (let at = 0; at <= places.length; at += 1) calls.push(await callFrom(asking))
    asking.signal('SIGKILL')
    await asking.ended
    for (const [at, failpoint] of places.entries()) {
      const host = await start(failpoint)
      for (const each of calls.slice(0, at + 1)) await post(host, each)
      expect(await host.ended, `at ${failpoint}: ${host.log().slice(-500)}`).toBe('SIGKILL')
    }
    const last = await start()
    for (const each of [...calls, ...calls]) expect(await post(last, each)).toBe(200)
    for (const each of calls) await ended(last, each)
    await waitForQuiet(pool)
    expect(await findDiscrepancies(pool, network)).toEqual([])
    await pool.end()

    const [origin, destination] = network.chains
    const fills = await paymentsByOrder(destination, network.roles.solver.address)
    for (const { answer, owner, orderId, recipient } of calls) {
      expect(await depositsUnder(origin, orderId)).toMatchObject([{ from: owner, amount: DOLLARS[0] }])
      expect(fills.get(orderId)).toMatchObject({ fills: 1, excess: 0 })
      const received = await balanceOnChain(destination, recipient, destination.usdc)
      expect(received).toBe(BigInt(textAt(answer, 'details.currencyOut.amount')))
    }
  })
}
