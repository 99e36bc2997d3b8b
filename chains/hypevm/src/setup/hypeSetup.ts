import { type ChainSetup, createSecp256k1Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup, evmAddressOfKey } from '@causeway/core/chain-kit'
import { hypeAdapter } from '../adapter.js'
import { NATIVE, USDC_DECIMALS } from '../address/addresses.js'
import { HYPERLIQUID_CHAIN_ID, HYPERLIQUID_TESTNET_CHAIN_ID, type HypeOptions, SPOT_USDC } from '../options.js'

const native = { address: NATIVE, symbol: 'USDC', name: 'USD Coin (perps)', decimals: USDC_DECIMALS, groupId: 'usdc' }
/** A transfer is final with its block: there is nothing to settle. */
const common = { native, confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 } }

/** Hyperliquid and its public test network; the operator names the API servers. */
export const publicChains: readonly PublicChain[] = [
  {
    ...{ ...common, options: {} },
    ...{ id: HYPERLIQUID_CHAIN_ID, slug: 'hyperliquid', name: 'Hyperliquid', network: 'mainnet' },
    explorerUrl: 'https://app.hyperliquid.xyz/explorer',
    tokens: [{ address: SPOT_USDC.mainnet, symbol: 'USDC', name: 'USD Coin (spot)', decimals: 8, groupId: 'usdc' }],
  },
  {
    ...{ ...common, options: { testnet: true } },
    ...{
      id: HYPERLIQUID_TESTNET_CHAIN_ID,
      slug: 'hyperliquid-testnet',
      name: 'Hyperliquid Testnet',
      network: 'testnet',
    },
    explorerUrl: 'https://app.hyperliquid-testnet.xyz/explorer',
    tokens: [],
  },
]

/** How networks of Hyperliquid are put into a configuration: the depository is the account of the allocator's key. */
export const hypeSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createSecp256k1Signer(`0x${'01'.repeat(32)}`),
  optionsFor: ({ publicKey }) => ({ depository: evmAddressOfKey(publicKey) }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => hypeAdapter(options as HypeOptions, deps),
})
