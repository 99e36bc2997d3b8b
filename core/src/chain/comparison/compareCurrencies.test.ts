import { expect, test } from 'vitest'
import type { ChainAdapter, TokenFacts } from '../chainAdapter.js'
import { compareCurrencies } from './compareCurrencies.js'

const TOKENS: Readonly<Record<string, TokenFacts>> = {
  usd: { symbol: 'USD', name: 'Dollar', decimals: 6 },
  eur: { symbol: 'EUR.e', name: 'Euro', decimals: 2 },
}

/** Mixed case stands for a checksum: only `Usd` is spelt right. */
const validateAddress = (text: string) =>
  text === text.toLowerCase() || text === 'Usd'
    ? ({ ok: true, canonical: text.toLowerCase() } as const)
    : ({ ok: false, why: 'The checksum does not match.' } as const)

const differences = async (
  listed: readonly { readonly address: string; readonly decimals: number; readonly symbol?: string }[],
  own: Partial<ChainAdapter> = {},
) => {
  const adapter = {
    native: { address: 'coin', symbol: 'COIN', name: 'Coin', decimals: 3 },
    nativeDecimals: 9,
    normalizeCurrency: (text: string) => text.toLowerCase(),
    validateAddress,
    readToken: async (currency: string) => TOKENS[currency] ?? null,
    ...own,
  }
  const currencies = listed.map((item) => ({ symbol: 'USD', name: 'Dollar', groupId: 'usd', ...item }))
  // CAST: the members that are compared.
  const found = await compareCurrencies({ config: { currencies }, adapter } as never)
  return found.map(({ at, field, state, message }) => [at, field, state, message])
}

test('a token with other decimals than on the chain is a fault that names both', async () => {
  expect(await differences([{ address: 'usd', decimals: 8 }])).toEqual([
    [0, 'decimals', 'fault', 'has 6 decimals on the chain, and the configuration says 8.'],
  ])
  expect(await differences([{ address: 'Usd', decimals: 6 }])).toEqual([])
})

test('the native currency is compared with its VM, whatever the adapter was configured with', async () => {
  expect(await differences([{ address: 'coin', decimals: 3 }])).toEqual([
    [0, 'decimals', 'fault', 'has 9 decimals on the chain, and the configuration says 3.'],
  ])
  expect(await differences([{ address: 'coin', decimals: 9 }])).toEqual([])
})

test('an address without a token, or with a wrong checksum, is a fault; another symbol is said', async () => {
  const listed = [
    { address: 'gone', decimals: 6 },
    { address: 'uSd', decimals: 6 },
    { address: 'eur', decimals: 2, symbol: 'EUR' },
  ]
  expect(await differences(listed)).toEqual([
    [0, 'address', 'fault', 'is no token on the chain: nothing at its address states its decimals.'],
    [1, 'address', 'fault', 'has an address whose checksum does not match.'],
    [2, 'symbol', 'warning', 'calls itself EUR.e on the chain, and the configuration calls it EUR.'],
  ])
})

test('a node that does not answer is no difference', async () => {
  const readToken = async () => {
    throw new Error('away')
  }
  await expect(differences([{ address: 'usd', decimals: 6 }], { readToken })).rejects.toThrow('away')
})
