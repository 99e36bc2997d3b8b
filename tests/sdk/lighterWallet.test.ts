import { LighterReader } from '@causeway/chain-lvm/testing'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type AdaptedWallet, convertViemChainToRelayChain, getQuote } from '@relayprotocol/relay-sdk'
import { defineChain } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { createApiKey } from '../harness/host/operatorCommand.js'
import { freshAddress } from '../harness/transfer.js'
import { type EvmStar, startEvmStar } from '../transfers/evmStar.js'
import type { MatrixChain } from '../transfers/matrixChains.js'
import { executeToEnd, pointClientAt } from './sdkClient.js'

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
  ...(kind.testing.vmType === 'lvm' ? { vmType: 'lvm' as const } : {}),
})

beforeAll(async () => {
  ;[network, database] = await Promise.all([startEvmStar(['lvm']), createTestDatabase({ packages: [] })])
  const options = { network: network.host, databaseUrl: database.url }
  host = await startHostProcess({ ...options, solver: { withdrawals: false } })
  headers = { 'x-api-key': await createApiKey(options) }
  pointClientAt({ baseApiUrl: host.url, chains: [network.evm, network.other('lvm')].map(relayChainOf) })
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await database?.drop()
  await network?.close()
})

/** A wallet in the form of the public adapters: no public registry has the one for Lighter. */
const adaptedWallet = ({ id, kind, local }: MatrixChain, user: MatrixChain['payout']): AdaptedWallet => {
  const wallet = kind.testing.openWallet(local, user.walletKey)
  const reader = new LighterReader({ chainId: id, endpoint: local.endpoint })
  return {
    vmType: 'lvm',
    getChainId: async () => id,
    address: async () => user.address,
    handleSignMessageStep: async () => {
      throw new Error('A deposit on Lighter has no signature step')
    },
    handleSendTransactionStep: async (_chainId, item) => {
      const signed = await wallet.prepare([{ items: [{ data: item.data }] }])
      return signed.send()
    },
    handleConfirmTransactionStep: async (hash) => {
      const { status, block_height: blockHeight } = await reader.inBlock(hash)
      return { txHash: hash, blockHeight, status }
    },
    switchChain: async () => undefined,
  }
}

const currencyOf = ({ deployment }: MatrixChain, symbol: string) => {
  const found = deployment.currencies.find((currency) => currency.symbol === symbol)
  if (found === undefined) throw new Error(`No ${symbol}`)
  return found
}

it.each([
  { symbol: 'USDC', units: 200_000_000n, action: { assetIndex: 3, fromRouteType: 0, toRouteType: 0 } },
  { symbol: 'ETH', units: 10_000_000n, action: { assetIndex: 1, fromRouteType: 1, toRouteType: 1 } },
])('the public client pays a quote of $symbol from Lighter', async ({ symbol, units, action }) => {
  const { evm } = network
  const lighter = network.other('lvm')
  const [user] = lighter.users
  if (user === undefined) throw new Error('There is no user')
  const to = currencyOf(evm, symbol).address
  const parameters = {
    ...{ chainId: lighter.id, currency: currencyOf(lighter, symbol).address, toChainId: evm.id, toCurrency: to },
    ...{ user: user.address, amount: units.toString(), tradeType: 'EXACT_INPUT' as const, recipient: freshAddress() },
    wallet: adaptedWallet(lighter, user),
  }
  const quote = await getQuote(parameters, true, headers)
  expect(quote.steps).toMatchObject([
    { id: 'deposit', kind: 'transaction', items: [{ data: { action: { type: 'transfer', parameters: action } } }] },
  ])
  const { error, result } = await executeToEnd({ quote, wallet: parameters.wallet })
  expect(error).toBeNull()
  expect(result?.steps.flatMap(({ items }) => items.map(({ status }) => status))).toEqual(['complete'])
  expect(await evm.kind.testing.readChain(evm.local).balance(parameters.recipient, to)).toBeGreaterThan(0n)
})
