import { type ChainSetup, createSecp256k1Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup, evmAddressOfKey } from '@causeway/core/chain-kit'
import { hederaAdapter } from '../adapter.js'
import { HBAR_DECIMALS, NATIVE } from '../address/addresses.js'
import { HEDERA_CHAIN_ID, HEDERA_TESTNET_CHAIN_ID, type HederaOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'HBAR', name: 'HBAR', decimals: HBAR_DECIMALS, groupId: 'hbar' }
/** Consensus is final: there is nothing to settle. */
const common = { native, confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 }, options: {} }

/** Hedera and its public test network; the operator names the mirror nodes. */
export const publicChains: readonly PublicChain[] = [
  {
    ...common,
    ...{ id: HEDERA_CHAIN_ID, slug: 'hedera', name: 'Hedera', network: 'mainnet' },
    explorerUrl: 'https://hashscan.io/mainnet',
    tokens: [{ address: '0.0.456858', symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' }],
  },
  {
    ...common,
    ...{ id: HEDERA_TESTNET_CHAIN_ID, slug: 'hedera-testnet', name: 'Hedera Testnet', network: 'testnet' },
    explorerUrl: 'https://hashscan.io/testnet',
    tokens: [],
  },
]

/** How Hedera networks are put into a configuration: the depository is the account of the allocator's key. */
export const hederaSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createSecp256k1Signer(`0x${'01'.repeat(32)}`),
  optionsFor: ({ publicKey }) => ({ depository: evmAddressOfKey(publicKey) }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => hederaAdapter(options as HederaOptions, deps),
})
