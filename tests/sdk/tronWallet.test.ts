import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { convertViemChainToRelayChain, getQuote } from '@relayprotocol/relay-sdk'
import { adaptTronWallet } from '@relayprotocol/relay-tron-wallet-adapter'
import { TronWeb } from 'tronweb'
import { defineChain } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import { freshAddress } from '../harness/transfer.js'
import { type EvmStar, startEvmStar } from '../transfers/evmStar.js'
import type { MatrixChain } from '../transfers/matrixChains.js'
import { executeToEnd, pointClientAt } from './sdkClient.js'

/** The public wallet adapter knows no other network. */
const TRON = 728_126_428

let network: EvmStar
let database: TestDatabase
let host: HostProcess
let headers: Record<string, string>

const relayChainOf = ({ id, slug, kind, local }: MatrixChain) => ({
  ...convertViemChainToRelayChain(
    defineChain({
      ...{ id, name: slug, nativeCurrency: { name: slug, symbol: kind.testing.native.symbol, decimals: 18 } },
      rpcUrls: { default: { http: [local.endpoint.http] } },
    }),
  ),
  ...(kind.testing.vmType === 'tvm' ? { vmType: 'tvm' as const } : {}),
})

beforeAll(async () => {
  ;[network, database] = await Promise.all([startEvmStar(['tvm'], { tvm: TRON }), createTestDatabase({ packages: [] })])
  const options = { network: network.host, databaseUrl: database.url, config: { network: 'mainnet' } }
  host = await startHostProcess({ ...options, solver: { withdrawals: false } })
  headers = { 'x-api-key': await createApiKey(options) }
  pointClientAt({ baseApiUrl: host.url, chains: [network.evm, network.other('tvm')].map(relayChainOf) })
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await database?.drop()
  await network?.close()
})

const currencyOf = ({ deployment }: MatrixChain, symbol: string) => {
  const found = deployment.currencies.find((currency) => currency.symbol === symbol)
  if (found === undefined) throw new Error(`No ${symbol}`)
  return found
}

it.each([
  { symbol: 'TRX', whole: 200n, steps: ['deposit'] },
  { symbol: 'USDC', whole: 25n, steps: ['approve', 'deposit'] },
])('the public Tron wallet adapter pays a quote of $symbol by the public client', async ({ symbol, whole, steps }) => {
  const [evm, tron] = [network.evm, network.other('tvm')]
  const [user] = tron.users
  if (user === undefined) throw new Error('There is no user')
  const tronWeb = new TronWeb({ fullHost: tron.local.endpoint.http, privateKey: user.privateKey.slice(2) })
  const from = currencyOf(tron, symbol)
  const parameters = {
    ...{ chainId: tron.id, currency: from.address, toChainId: evm.id, toCurrency: currencyOf(evm, symbol).address },
    ...{ amount: (whole * 10n ** BigInt(from.decimals)).toString(), tradeType: 'EXACT_INPUT' as const },
    ...{ recipient: freshAddress(), wallet: adaptTronWallet(user.address, tronWeb) },
  }
  const quote = await getQuote(parameters, true, headers)
  expect(quote.steps.map(({ id }) => id)).toEqual(steps)
  const { error, result } = await executeToEnd({ quote, wallet: parameters.wallet })
  expect(error).toBeNull()
  expect(result?.steps.flatMap(({ items }) => items.map(({ status }) => status))).toEqual(steps.map(() => 'complete'))
  const arrived = await evm.kind.testing
    .readChain(evm.local)
    .balance(parameters.recipient, currencyOf(evm, symbol).address)
  expect(arrived).toBeGreaterThan(0n)
})
