import { type ChainSetup, createEd25519Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { svmAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { encodeBase58 } from '../address/base58.js'
import { SOLANA_CHAIN_ID, type SvmOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'SOL', name: 'Solana', decimals: 9, groupId: 'sol' }
const usdc = { symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' }
const confirmations = { fill: 1, success: 1, settle: 32, settleSeconds: 30 }

/** Solana and its network for developers. */
export const publicChains: readonly PublicChain[] = [
  {
    id: SOLANA_CHAIN_ID,
    slug: 'solana',
    name: 'Solana',
    network: 'mainnet',
    explorerUrl: 'https://solscan.io',
    native,
    confirmations,
    options: {},
    tokens: [
      { ...usdc, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v' },
      {
        address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
        symbol: 'USDT',
        name: 'Tether USD',
        decimals: 6,
        groupId: 'usdt',
      },
    ],
  },
  {
    id: 1_936_682_084,
    slug: 'solana-devnet',
    name: 'Solana Devnet',
    network: 'testnet',
    explorerUrl: 'https://solscan.io',
    native,
    confirmations,
    tokens: [{ ...usdc, address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAERYPJgZJDncDU' }],
    options: { genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' },
  },
]

/** How chains of Solana are put into a configuration: the depository is the account of the allocator's key. */
export const svmSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createEd25519Signer('01'.repeat(32)),
  optionsFor: ({ publicKey }) => ({ depository: encodeBase58(publicKey) }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => svmAdapter(options as SvmOptions, deps),
})
