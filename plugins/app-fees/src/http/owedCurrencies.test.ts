import { type Currency, type CurrencyRegistry, ServiceError } from '@causeway/core'
import type { ChainAdapter, ChainConfig } from '@causeway/core/chain'
import { ChainRegistry, ONE_USD } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { owedAmount, owedCurrency, pricesOf, walletOf } from './owedCurrencies.js'

const GONE = `0x${'0e'.repeat(20)}`
const SOLANA = 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr'

const chain = (id: number, vmType: string, adapter: Partial<ChainAdapter>) => ({
  // CAST: what is read of a chain.
  config: { id } as ChainConfig,
  adapter: { vmType, validateAddress: () => ({ ok: false, why: 'another form' }), ...adapter } as ChainAdapter,
})

const chains = new ChainRegistry([
  chain(1, 'evm', {
    readToken: async (address) => (address === GONE ? { symbol: 'OLD', name: 'Old dollar', decimals: 6 } : null),
  }),
  chain(2, 'svm', {
    validateAddress: (text) => (text === SOLANA ? { ok: true, canonical: text } : { ok: false, why: 'no' }),
  }),
])
// CAST: no currency is configured.
const currencies = { find: () => undefined, native: () => undefined } as unknown as CurrencyRegistry

describe('balances of any wallet and currency (wire.md 4.12)', () => {
  it('name an EVM wallet in lower case, another one as its chain writes it, and refuse what is an address of no chain', () => {
    expect(walletOf(chains, `0x${'AB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`)
    expect(walletOf(chains, SOLANA)).toBe(SOLANA)
    expect(() => walletOf(chains, 'alice')).toThrow('path.wallet is not an address of a chain')
  })

  it('read a currency that is not configured any more from its chain, and show units alone where the chain is gone', async () => {
    const known = await owedCurrency({ chains, currencies }, 1, GONE)
    expect(owedAmount({ currency: known, amount: 1_500_000n }, ONE_USD)).toMatchObject({
      currency: { symbol: 'OLD', decimals: 6, vmType: 'evm' },
      amountFormatted: '1.5',
      amountUsd: '1.500000',
    })
    const unknown = owedAmount({ currency: await owedCurrency({ chains, currencies }, 9, GONE), amount: 7n }, 0n)
    expect(unknown).toMatchObject({ currency: { chainId: 9, address: GONE, decimals: 0 }, amount: '7' })
    expect(unknown.currency).not.toHaveProperty('vmType')
  })

  it('have no price where no source knows the currency, and fail where prices cannot be read', async () => {
    const currency = await owedCurrency({ chains, currencies }, 1, GONE)
    const failing = (code: 'UNSUPPORTED_CURRENCY' | 'PRICE_FETCH_FAILED') => ({
      get: async (_: readonly Currency[]) => {
        throw new ServiceError(code, 'No price')
      },
    })
    expect(await pricesOf(failing('UNSUPPORTED_CURRENCY'), [currency])).toEqual([0n])
    await expect(pricesOf(failing('PRICE_FETCH_FAILED'), [currency])).rejects.toThrow('No price')
  })
})
