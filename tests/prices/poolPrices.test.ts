import 'reflect-metadata'
import evmChain from '@causeway/chain-evm'
import { deployUniswap, type LocalEvmChain, type LocalUniswap, startLocalChain } from '@causeway/chain-evm/testing'
import { CURRENCIES, environmentOf, systemClock } from '@causeway/core'
import { type ChainConfig, PRICES, type PriceSource } from '@causeway/core/chain'
import { CheckedPrices, ConfiguredCurrencies, DexPriceSource } from '@causeway/core/host'
import { CHAINS, type Chain, ChainRegistry, parseUsd } from '@causeway/core/plugin'
import { startTestServer, type TestServer } from '@causeway/core/testing'
import pricesPlugin from '@causeway/plugin-prices'
import { pino } from 'pino'
import { container as rootContainer } from 'tsyringe'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { NATIVE } from '../harness/localNetwork.js'

const WHOLE = 10n ** 18n
const ANY_ADDRESS = `0x${'5a'.repeat(20)}`

let local: LocalEvmChain
let chain: Chain
let server: TestServer
/** Not listed: one with a pool against USDC, one against native currency, one without. */
let tide: string
let gold: string
let dust: string

/** What the solver holds is worth what is said here: ETH 2000, USDC 1. */
const said: PriceSource = {
  name: 'said',
  getPrices: async (currencies) =>
    currencies.map(({ groupId }) => {
      const usd = parseUsd({ eth: '2000', usdc: '1' }[groupId])
      return usd === null ? null : { usd, observedAt: Date.now() }
    }),
}

const currency = (address: string, symbol: string, decimals: number) => ({
  address,
  symbol,
  name: symbol,
  decimals,
  groupId: symbol.toLowerCase(),
})

const openChain = async (usdc: string, swap: ReturnType<LocalUniswap['options']>): Promise<Chain> => {
  const config: ChainConfig = {
    id: local.chainId,
    slug: 'harbor',
    name: 'Harbor',
    package: '@causeway/chain-evm',
    rpc: [{ http: local.rpcUrl }],
    currencies: [currency(NATIVE, 'ETH', 18), currency(usdc, 'USDC', 6)],
    confirmations: { fill: 1, success: 1, settle: 2, settleSeconds: 0 },
    solver: ANY_ADDRESS,
    enabled: true,
    limits: { perHour: [] },
    options: {},
  }
  const deps = { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) }
  return { config, adapter: await evmChain.create({ depository: ANY_ADDRESS, swap }, deps) }
}

const serve = async (): Promise<TestServer> => {
  const chains = new ChainRegistry([chain])
  const currencies = new ConfiguredCurrencies([chain])
  const pace = { keepMs: 1_000, retryMs: 0, timeoutMs: 10_000 }
  const dex = { chains, currencies, references: ['USDC', 'ETH'], clock: systemClock, pace }
  const container = rootContainer.createChildContainer()
  container.registerInstance(CHAINS, chains)
  container.registerInstance(CURRENCIES, currencies)
  container.registerInstance(
    PRICES,
    new CheckedPrices({
      sources: [said],
      derived: [(prices) => new DexPriceSource({ ...dex, prices })],
      clock: systemClock,
    }),
  )
  return startTestServer(pricesPlugin.routes?.({ container, options: {} }) ?? [])
}

beforeAll(async () => {
  local = await startLocalChain({ chainId: 31_377 })
  const uniswap = await deployUniswap(local)
  const deploy = (symbol: string, decimals: number) => local.deployToken({ name: symbol, symbol, decimals })
  const usdc = await deploy('USDC', 6)
  tide = await deploy('TIDE', 9)
  gold = await deploy('USDC', 18)
  dust = await deploy('DUST', 18)
  // One TIDE for 2.5 USDC; one GOLD, which calls itself USDC, for half an ETH.
  await uniswap.createPair([
    { token: tide, amount: 4_000n * 10n ** 9n },
    { token: usdc, amount: 10_000n * 10n ** 6n },
  ])
  await uniswap.createPool({
    sides: [
      { token: gold, amount: 200n * WHOLE },
      { token: NATIVE, amount: 100n * WHOLE },
    ],
    fee: 3000,
  })
  chain = await openChain(usdc, uniswap.options(ANY_ADDRESS))
  server = await serve()
})
afterAll(async () => {
  await server?.close()
  await chain?.adapter.stop()
  await local?.close()
})

const priceOf = async (address: string) => {
  const path = `/currencies/token/price/v2?chainId=${local.chainId}&address=${address}`
  const { status, body } = await callApi(server.server.url, path)
  return status === 200 ? Number(valueAt(body, 'price')) : status
}

it('a token nobody listed is priced by the pools of its chain, whatever it calls itself', async () => {
  expect(await priceOf(tide)).toBeCloseTo(2.5, 6)
  expect(await priceOf(gold)).toBeCloseTo(1_000, 3)
  expect(await priceOf(NATIVE)).toBe(2_000)
})

it('a token without a pool, and what is no token, have none: 400', async () => {
  expect(await priceOf(dust)).toBe(400)
  expect(await priceOf(ANY_ADDRESS)).toBe(400)
})
