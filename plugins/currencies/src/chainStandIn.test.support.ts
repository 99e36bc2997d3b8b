import type { Currency } from '@causeway/core'
import type { ChainAdapter, ChainConfig, DepositAddresses } from '@causeway/core/chain'
import { type Chain, ChainRegistry } from '@causeway/core/plugin'

const chainOf = (id: number, vmType: string, privateId?: string, depositAddresses?: DepositAddresses): Chain => {
  const adapter: Partial<ChainAdapter> = {
    vmType,
    ...(depositAddresses === undefined ? {} : { depositAddresses }),
    normalizeCurrency: (text) => {
      if (vmType === 'evm') return /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null
      return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? text : null
    },
  }
  const config: Partial<ChainConfig> = {
    id,
    enabled: true,
    currencies: [],
    ...(privateId === undefined ? {} : { privateId }),
  }
  // CAST: the catalogue reads no other member; the adapters themselves are proven in their packages.
  return { config: config as ChainConfig, adapter: adapter as ChainAdapter }
}

// CAST: the catalogue asks only whether it is there.
const addresses = { forms: ['contract'] } as unknown as DepositAddresses

/** Two open EVM chains (1, whose users can pay to addresses, and 10), a Solana-like one (792703809) and a private one (99). */
export const chains = new ChainRegistry([
  chainOf(1, 'evm', undefined, addresses),
  chainOf(10, 'evm'),
  chainOf(792703809, 'svm'),
  chainOf(99, 'evm', '2f6f0c0a-8a3c-4c51-9a52-6f1a3d1b0f11'),
])

/** An address whose first byte tells it apart. */
export const at = (byte: string): string => `0x${byte}${'0'.repeat(38)}`

export const heldCurrency = (chainId: number, symbol: string, address: string, isNative = false): Currency => ({
  chainId,
  address,
  symbol,
  name: symbol === 'USDC' ? 'USD Coin' : 'Ether',
  decimals: isNative ? 18 : 6,
  vmType: 'evm',
  groupId: symbol.toLowerCase(),
  metadata: { logoURI: 'https://example.com/logo.png', verified: true, isNative },
})
