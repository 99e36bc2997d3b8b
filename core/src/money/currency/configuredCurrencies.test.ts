import { describe, expect, it } from 'vitest'
import type { ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainConfig, CurrencyConfig } from '../../chain/chainPackage.js'
import { ConfiguredCurrencies } from './configuredCurrencies.js'

const NATIVE = `0x${'0'.repeat(40)}`
const TOKEN = `0x${'aB'.repeat(20)}`

const chainWith = (currencies: readonly CurrencyConfig[]) => {
  const config: ChainConfig = {
    id: 7,
    slug: 'seven',
    name: 'Seven',
    package: '@causeway/chain-evm',
    rpc: [],
    currencies,
    confirmations: { fill: 1, success: 1, settle: 1, settleSeconds: 1 },
    solver: NATIVE,
    enabled: true,
    options: {},
  }
  const adapter: Partial<ChainAdapter> = {
    chainId: 7,
    vmType: 'evm',
    native: { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18 },
    normalizeCurrency: (text) => (/^0x[0-9a-f]{40}$/i.test(text) ? text.toLowerCase() : null),
  }
  // CAST: the registry reads only these members of an adapter.
  return { config, adapter: adapter as ChainAdapter }
}
const usdc: CurrencyConfig = { address: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' }
const eth: CurrencyConfig = { address: NATIVE, symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }

describe('ConfiguredCurrencies', () => {
  it('finds currencies by canonical address and marks the native one', () => {
    const currencies = new ConfiguredCurrencies([chainWith([usdc, eth])])
    expect(currencies.find(7, TOKEN.toLowerCase())).toMatchObject({ symbol: 'USDC', metadata: { isNative: false } })
    expect(currencies.find(7, NATIVE)).toMatchObject({ vmType: 'evm', metadata: { isNative: true } })
    expect(currencies.find(8, NATIVE)).toBeUndefined()
    expect(currencies.ofChain(7)).toHaveLength(2)
    expect(currencies.all()).toHaveLength(2)
  })

  it('knows the native currency for fees even where the solver does not hold it', () => {
    const currencies = new ConfiguredCurrencies([chainWith([usdc])])
    expect(currencies.native(7)).toMatchObject({ symbol: 'ETH', groupId: 'eth', metadata: { isNative: true } })
    expect(currencies.find(7, NATIVE)).toBeUndefined()
  })

  it.each([
    ['a malformed address', [{ ...usdc, address: '0x1' }], 'not a currency'],
    ['a currency listed twice', [usdc, { ...usdc, address: TOKEN.toLowerCase() }], 'twice'],
    ['other decimals than the native ones', [{ ...eth, decimals: 6 }], '18 decimals'],
  ])('refuses %s, naming chain and entry', (_what, currencies, message) => {
    expect(() => new ConfiguredCurrencies([chainWith(currencies)])).toThrow(/Chain seven: currency "0x/)
    expect(() => new ConfiguredCurrencies([chainWith(currencies)])).toThrow(message)
  })
})
