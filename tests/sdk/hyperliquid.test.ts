import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { convertViemChainToRelayChain, getQuote } from '@relayprotocol/relay-sdk'
import axios, { type InternalAxiosRequestConfig } from 'axios'
import { createWalletClient, defineChain, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import { freshAddress } from '../harness/transfer.js'
import { type EvmStar, startEvmStar } from '../transfers/evmStar.js'
import type { MatrixChain } from '../transfers/matrixChains.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt } from './sdkClient.js'

/** The client signs and posts for this chain alone, and to this address. */
const HYPERLIQUID = 1337
const EXCHANGE = 'https://api.hyperliquid.xyz/exchange'

let network: EvmStar
let database: TestDatabase
let host: HostProcess
let proxy: ApiProxy
let headers: Record<string, string>
/** Bodies that the client posted to the exchange. */
const posted: unknown[] = []
let redirection: number

const viemChainOf = ({ id, slug, local }: MatrixChain) =>
  defineChain({
    ...{ id, name: slug, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
    rpcUrls: { default: { http: [local.endpoint.http] } },
  })

beforeAll(async () => {
  ;[network, database] = await Promise.all([
    startEvmStar(['hypevm'], { hypevm: HYPERLIQUID }),
    createTestDatabase({ packages: [] }),
  ])
  const options = { network: network.host, databaseUrl: database.url, config: { network: 'mainnet' } }
  host = await startHostProcess({
    ...options,
    solver: { withdrawals: false },
    morePlugins: [{ package: '@causeway/plugin-gasless', options: {} }],
  })
  headers = { 'x-api-key': await createApiKey(options) }
  proxy = await startApiProxy({ target: () => host.url })
  const chains = [network.evm, network.other('hypevm')].map((chain) => convertViemChainToRelayChain(viemChainOf(chain)))
  pointClientAt({ baseApiUrl: proxy.url, chains })
  redirection = axios.interceptors.request.use((config: InternalAxiosRequestConfig) => {
    if (config.url !== EXCHANGE) return config
    posted.push(config.data)
    return { ...config, url: `${network.other('hypevm').local.endpoint.http}/exchange` }
  })
})
afterAll(async () => {
  axios.interceptors.request.eject(redirection)
  await proxy?.close()
  host?.signal('SIGKILL')
  await host?.ended
  await database?.drop()
  await network?.close()
})

it('the unmodified public client signs for the order, registers its nonce, and posts its transfer to the exchange (chains.md hypevm 3)', async () => {
  const { evm } = network
  const hyperliquid = network.other('hypevm')
  const [user] = hyperliquid.users
  if (user === undefined) throw new Error('There is no user')
  const usdc = evm.deployment.currencies.find(({ symbol }) => symbol === 'USDC')?.address ?? ''
  const wallet = createWalletClient({
    // CAST: 32 bytes of hex.
    account: privateKeyToAccount(user.privateKey as Hex),
    chain: viemChainOf(evm),
    transport: http(evm.local.endpoint.http),
  })
  const recipient = freshAddress()
  const quote = await getQuote(
    {
      ...{ chainId: hyperliquid.id, currency: hyperliquid.kind.testing.native.address },
      ...{ toChainId: evm.id, toCurrency: usdc, amount: '2500000000', tradeType: 'EXACT_INPUT' as const },
      ...{ recipient, wallet },
    },
    true,
    headers,
  )
  expect(quote.steps.map(({ id, kind }) => [id, kind])).toEqual([
    ['authorize', 'signature'],
    ['deposit', 'transaction'],
  ])
  const { error, result } = await executeToEnd({ quote, wallet })
  expect(error).toBeNull()
  expect(result?.steps.flatMap(({ items }) => items.map(({ status }) => status))).toEqual(['complete', 'complete'])
  const authorized = proxy.calls.find(({ path }) => path === '/authorize')
  expect(authorized).toMatchObject({ method: 'POST', status: 200, body: { signatureChainId: evm.id } })
  expect(posted).toMatchObject([
    {
      action: {
        type: 'sendAsset',
        hyperliquidChain: 'Mainnet',
        amount: '25',
        signatureChainId: `0x${evm.id.toString(16)}`,
      },
    },
  ])
  const arrived = await evm.kind.testing.readChain(evm.local).balance(recipient, usdc)
  expect(arrived).toBeGreaterThan(0n)
})
