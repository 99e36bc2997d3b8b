import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { startTestHost, type TestHost, type TestHostOptions } from '../harness/host/host.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, type NetworkChain, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, nativeTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** Selector of `decimals()`. */
const DECIMALS = '0x313ce567'

let network: LocalNetwork
let database: TestDatabase
let pool: Pool
let proxy: FaultProxy
let host: TestHost | undefined

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [] })
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'causeway test' })
  proxy = await startFaultProxy(network.chains[0].chain.rpcUrl)
})
afterEach(async () => {
  await host?.stop()
  host = undefined
  proxy.clear()
})
afterAll(async () => {
  await pool?.end()
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

/** The host of the network, whose first chain is configured with something changed. */
const start = async (change: Partial<NetworkChain> = {}, more: Partial<TestHostOptions> = {}): Promise<TestHost> => {
  const changed: LocalNetwork = { ...network, chains: [{ ...network.chains[0], ...change }, network.chains[1]] }
  host = await startTestHost({ network: changed, database: { url: database.url, pool }, ...more })
  return host
}

const withDecimals = (decimals: number): Partial<NetworkChain> => {
  const { currencies } = network.chains[0]
  return { currencies: currencies.map((item) => (item.symbol === 'USDC' ? { ...item, decimals } : item)) }
}

const quote = ({ url }: TestHost) => {
  const { user, from, to, originCurrency, destinationCurrency, amount, recipient } = nativeTransfer(network, 0)
  const body = { user: user.address, recipient, originCurrency, destinationCurrency, amount: String(amount) }
  const route = { originChainId: from, destinationChainId: to, tradeType: 'EXACT_INPUT' }
  return callApi(url, '/quote', { body: { ...body, ...route } })
}

/** Entry of the first chain in `GET /chains`, which is made again every fifteen seconds. */
const listed = async ({ url }: TestHost) => {
  const { body } = await callApi(url, '/chains')
  const chains = valueAt(body, 'chains') as readonly { readonly name: string }[]
  return chains.find(({ name }) => name === network.chains[0].slug)
}

it('a token with other decimals than on its chain refuses the start, with chain, currency, both values and what to do', async () => {
  await expect(start(withDecimals(8))).rejects.toThrow(
    new RegExp(
      `chains\\[0\\]\\.currencies\\[1\\]\\.decimals is wrong: USDC \\(${network.chains[0].usdc}\\) of harbor has 6 decimals on the chain, and the configuration says 8\\.[^]*Set "decimals" to 6`,
    ),
  )
})

it('a chain whose nodes do not answer the comparison is not quoted and decides nothing until they do', async () => {
  const rpcUrls = { [network.chains[0].chain.chainId]: proxy.url }
  const sound = await start({}, { rpcUrls })
  const answer = await quoteOverHttp(sound.url, nativeTransfer(network, 0))
  await sound.stop()
  const when = ([call]: readonly unknown[]) => textAt(call, 'data').startsWith(DECIMALS)
  proxy.add('eth_call', { when, error: { code: -32000, message: 'header not found' } })
  const held = await start({}, { rpcUrls })
  expect(await quote(held)).toMatchObject({ status: 503, body: { message: expect.stringMatching(/not served now/) } })
  expect(await listed(held)).toMatchObject({ disabled: true, depositEnabled: false })
  await executeQuote(network.chains[0].chain, userOf(network, 0), answer)
  await until('the deposit to be put off', async () => {
    const { rows } = await pool.query<{ attempts: number }>(
      `select attempts from requests where id = $1 and next_action = 'decide' and next_action_at > now()`,
      [Buffer.from(answer.requestId.slice(2), 'hex')],
    )
    return rows.length > 0 ? true : null
  })
  const { rows } = await pool.query('select from payouts')
  expect(rows).toHaveLength(0)
  proxy.clear()
  await until('the request to succeed', async () => {
    const { body } = await callApi(held.url, `/intents/status/v3?requestId=${answer.requestId}`)
    return valueAt(body, 'status') === 'success' ? true : null
  })
  expect((await quote(held)).status).toBe(200)
})

it('a configuration that moves money otherwise than this deployment is refused, by name, unless an operator accepts it', async () => {
  const { depository } = network.chains[0]
  const groups = network.chains[0].currencies.map((item) =>
    item.symbol === 'BUSD' ? { ...item, groupId: 'other' } : item,
  )
  const change = { depository: freshAddress(), currencies: groups }
  const refused = await start(change).catch((error: unknown) => String(error))
  const { chainId } = network.chains[0].chain
  expect(refused).toContain(
    `chain ${chainId} depository is ${depository.toLowerCase()} in this deployment and ${change.depository} in this configuration`,
  )
  expect(refused).toMatch(/groupId is busd in this deployment and other in this configuration.*--accept-config/)
  await (await start({ currencies: groups }, { acceptConfig: true })).stop()
  await expect(start()).rejects.toThrow(/groupId is other in this deployment and busd/)
  // Settings that only tune a process may differ.
  await (await start({ currencies: groups }, { roles: ['api'], http: { drainSeconds: 1 } })).stop()
  await (await start({}, { acceptConfig: true })).stop()
})

it('a chain whose fill router or depository is another contract gives no quotes, and says why', async () => {
  const { usdc } = network.chains[0]
  const wrong = await start({ fillRouter: usdc, depository: usdc }, { acceptConfig: true })
  const refused = await quote(wrong)
  expect(refused).toMatchObject({ status: 400, body: { errorCode: 'CHAIN_DISABLED' } })
  for (const words of ['harbor depository: has other code', 'harbor fill router: has other code'])
    expect(textAt(refused.body, 'message')).toContain(words)
  expect(await listed(wrong)).toMatchObject({
    disabled: true,
    depositEnabled: false,
    statusMessage: expect.stringContaining('harbor fill router: has other code'),
  })
})
