import type { Currency } from '@causeway/core'
import type { BlockRef, Capabilities, ChainAdapter, ChainConfig } from '@causeway/core/chain'
import type { Chain } from '@causeway/core/plugin'

/** A chain whose adapter knows only what the catalogue reads; the adapters themselves are proven in their packages. */
export const chainOf = (
  config: Partial<ChainConfig> & { readonly id: number },
  tip: () => Promise<BlockRef> = () => Promise.reject(new Error('no head')),
  headIntervalSeconds = 12,
): Chain => {
  const adapter: Partial<ChainAdapter> = {
    vmType: 'evm',
    // CAST: the catalogue reads no other capability.
    capabilities: { headIntervalSeconds } as Capabilities,
    depository: '0x00000000000000000000000000000000000000dd',
    native: { address: `0x${'0'.repeat(40)}`, symbol: 'ETH', name: 'Ether', decimals: 18 },
    normalizeCurrency: (text) => text.toLowerCase(),
    explorerPaths: () => ({ transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }),
    onHead: () => undefined,
    tip,
  }
  const whole: Omit<ChainConfig, 'options' | 'confirmations'> = {
    slug: `chain-${config.id}`,
    name: `Chain ${config.id}`,
    package: '@causeway/chain-evm',
    rpc: [{ http: 'http://operator:secret@rpc.internal/key' }],
    currencies: [],
    solver: '0x00000000000000000000000000000000000000ee',
    originSender: '0x00000000000000000000000000000000000000ef',
    enabled: true,
    ...config,
  }
  // CAST: the catalogue reads no other member.
  return { config: whole as ChainConfig, adapter: adapter as ChainAdapter }
}

export const currencyOf = (chainId: number, symbol: string, address: string, isNative = false): Currency => ({
  chainId,
  address,
  symbol,
  name: `${symbol} coin`,
  decimals: isNative ? 18 : 6,
  vmType: 'evm',
  groupId: symbol.toLowerCase(),
  metadata: { logoURI: `https://example.com/${symbol}.png`, verified: true, isNative },
})
