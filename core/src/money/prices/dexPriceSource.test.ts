import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainConfig } from '../../chain/chainPackage.js'
import { ChainRegistry } from '../../chain/chainRegistry.js'
import type { SwapCapability } from '../../chain/swaps.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { Currency, CurrencyRegistry } from '../currency/currency.js'
import { ONE_USD, parseUsd } from '../usdMath.js'
import { CheckedPrices } from './checkedPrices.js'
import { DexPriceSource } from './dexPriceSource.js'
import type { PriceSource } from './priceSource.js'

const now = 1_800_000_000_000
const clock = { now: () => now }
const pace = { keepMs: 10_000, retryMs: 0, timeoutMs: 1_000 }

const currency = (symbol: string, decimals: number, chainId = 1): Currency => ({
  chainId,
  address: symbol,
  symbol,
  name: symbol,
  decimals,
  vmType: 'evm',
  groupId: symbol,
  metadata: { logoURI: '', verified: true, isNative: symbol === 'ETH' },
})
const eth = currency('ETH', 18)
const usdc = currency('USDC', 6)
const tide = currency('TIDE', 9)
const held = [eth, usdc, currency('USDC', 6, 2)]
const currencies: CurrencyRegistry = {
  find: (chainId, address) => held.find((item) => item.chainId === chainId && item.address === address),
  native: () => undefined,
  ofChain: (chainId) => held.filter((item) => item.chainId === chainId),
  all: () => held,
}

type MidPrices = NonNullable<SwapCapability['midPrices']>
type Asked = Parameters<MidPrices>[0]

/** Chain 1 has pools, chain 2 has no exchange. `mids` by "FROM TO", in smallest units of TO scaled by 10^18. */
const chainsWith = (mids: Readonly<Record<string, bigint>>, asked: Asked[]): ChainRegistry => {
  const midPrices: MidPrices = async (pairs) => {
    asked.push(pairs)
    return pairs.map(({ from, to }) => mids[`${from} ${to}`] ?? null)
  }
  const swaps: Partial<SwapCapability> = { midPrices }
  return new ChainRegistry(
    [1, 2].map((id) => ({
      // CAST: nothing else of a chain is asked for; the exchanges themselves are proven in the chain packages.
      config: { id } as ChainConfig,
      adapter: (id === 1 ? { swaps } : {}) as ChainAdapter,
    })),
  )
}

const SAID: Readonly<Record<string, bigint>> = { ETH: 2_000n, USDC: 1n }
const market = (said = SAID): PriceSource => ({
  name: 'market',
  getPrices: async (asked) =>
    asked.map(({ symbol }) => {
      const usd = said[symbol]
      return usd === undefined ? null : { usd: usd * ONE_USD, observedAt: now - 1_000 }
    }),
})

const pricesWith = (mids: Readonly<Record<string, bigint>>, said = SAID) => {
  const asked: Asked[] = []
  const prices = new CheckedPrices({
    sources: [market(said)],
    derived: [
      (ofSources) =>
        new DexPriceSource({
          chains: chainsWith(mids, asked),
          currencies,
          prices: ofSources,
          references: ['USDC', 'ETH'],
          clock,
          pace,
        }),
    ],
    clock,
  })
  return { prices, asked }
}

const SCALE = 10n ** 18n

describe('prices of pools', () => {
  it('are the mid price against the first reference with a pool, times its price, as old as that one', async () => {
    const { prices, asked } = pricesWith({ 'TIDE USDC': 2_500_000n * SCALE, 'TIDE ETH': 5n * 10n ** 17n * SCALE })
    expect(await prices.get([tide])).toEqual([{ usd: parseUsd('2.5'), observedAt: now - 1_000 }])
    const unit = 10n ** 9n
    expect(asked).toEqual([
      [
        { from: 'TIDE', to: 'USDC', unit },
        { from: 'TIDE', to: 'ETH', unit },
      ],
    ])
    const overEth = pricesWith({ 'TIDE ETH': 5n * 10n ** 17n * SCALE })
    expect(await overEth.prices.get([tide])).toMatchObject([{ usd: parseUsd('1000') }])
  })

  it('never price what the solver holds: pools can be pushed by anybody', async () => {
    const { prices, asked } = pricesWith({ 'ETH USDC': SCALE, 'USDC USDC': SCALE })
    expect(await prices.get([eth, usdc])).toMatchObject([{ usd: parseUsd('2000') }, { usd: parseUsd('1') }])
    expect(asked).toEqual([])
  })

  it('are known neither without a pool nor on a chain without an exchange', async () => {
    const { prices } = pricesWith({})
    for (const item of [tide, currency('TIDE', 9, 2), currency('TIDE', 9, 3)]) {
      await expect(prices.get([item])).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
    }
  })

  it('need a reference that has a price', async () => {
    const mids = { 'TIDE ETH': SCALE * SCALE }
    expect(await pricesWith(mids, { ETH: 2_000n, USDC: 0n }).prices.get([tide])).toMatchObject([
      { usd: parseUsd('2000') },
    ])
    await expect(pricesWith(mids, { USDC: 0n, ETH: -1n }).prices.get([tide])).rejects.toSatisfy(
      (error: unknown) => ServiceError.is(error) && error.code === 'PRICE_FETCH_FAILED',
    )
  })
})
