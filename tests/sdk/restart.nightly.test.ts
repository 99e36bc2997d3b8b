import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { getQuote } from '@relayprotocol/relay-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain } from '../harness/database/books.js'
import { newApiKey } from '../harness/host/host.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let network: LocalNetwork
let database: TestDatabase
let host: HostProcess
let proxy: ApiProxy

beforeAll(async () => {
  const packages = [{ name: '@causeway/core', migrations: coreMigrations }]
  ;[network, database] = await Promise.all([startLocalNetwork(), createTestDatabase({ packages })])
  host = await startHostProcess({ network, databaseUrl: database.url })
  proxy = await startApiProxy({ target: () => host.url, prefix: '/bridge' })
})
afterAll(async () => {
  host?.signal('SIGTERM')
  await host?.ended
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

it('a host killed while the client polls costs neither money nor an error: the client asks on (wire.md A.3)', async () => {
  const [origin, destination] = network.chains
  pointClientAt({ baseApiUrl: proxy.url, chains: network.chains.map(relayChainOf), source: 'shop.example' })
  const { apiKey } = await newApiKey(database.pool, 'sdk')
  const wallet = walletOn(origin, userOf(network, 0))
  const route = { currency: NATIVE, toCurrency: NATIVE, amount: ether('0.05') }
  const parameters = routeOf(origin, destination, route, wallet)
  // The host answers before it knows what its solver owns.
  const quote = await until('a quote', () => getQuote(parameters, true, { 'x-api-key': apiKey }).catch(() => null))
  await origin.chain.setAutomine(false)
  await origin.chain.setIntervalMining(0)

  const states: string[] = []
  const running = executeToEnd({ quote, wallet }, (state) => states.push(state))
  await until('the client to poll', async () =>
    states.includes('deposit: incomplete/validating/waiting') ? true : null,
  )
  host.signal('SIGKILL')
  await host.ended
  const since = proxy.calls.length
  await until('a call that nobody answers', async () => (proxy.calls.length > since ? true : null))
  await origin.chain.mine()
  await origin.chain.setIntervalMining(1)
  host = await startHostProcess({ network, databaseUrl: database.url })

  const { error, result } = await running
  expect(error).toBeNull()
  expect(result?.steps[0]?.items[0]).toMatchObject({ status: 'complete', checkStatus: 'success' })
  const received = await balanceOnChain(destination, parameters.recipient, NATIVE)
  expect(received).toBe(BigInt(quote.details?.currencyOut?.amount ?? ''))
})
