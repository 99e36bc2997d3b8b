import { type ChainSetup, createSecp256k1Signer, type PublicChain, SetupError } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { bvmAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { BITCOIN_CHAIN_ID, BITCOIN_TESTNET_CHAIN_ID } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import { type BvmOptions, networkOf } from '../options.js'
import { compressKey } from '../payout/payoutSigner.js'
import { keyScript } from '../payout/payoutTransaction.js'

const native = { address: NATIVE, symbol: 'BTC', name: 'Bitcoin', decimals: 8, groupId: 'btc' }
const confirmations = { fill: 1, success: 1, settle: 6, settleSeconds: 3600 }

/** Bitcoin and its test network. */
export const publicChains: readonly PublicChain[] = [
  {
    id: BITCOIN_CHAIN_ID,
    slug: 'bitcoin',
    name: 'Bitcoin',
    network: 'mainnet',
    explorerUrl: 'https://mempool.space',
    native,
    confirmations,
    tokens: [],
    options: {},
  },
  {
    id: BITCOIN_TESTNET_CHAIN_ID,
    slug: 'bitcoin-testnet',
    name: 'Bitcoin Testnet',
    network: 'testnet',
    explorerUrl: 'https://mempool.space/testnet',
    native,
    confirmations,
    tokens: [],
    options: {},
  },
]

/** The address of the allocator's key is the depository. */
const depositoryOf = (publicKey: Uint8Array, { id, options }: Pick<PublicChain, 'id' | 'options'>): string => {
  // CAST: of the options only the network counts, which the adapter checks.
  const network = networkOf(options as BvmOptions, id)
  const address = addressOfScript(keyScript(compressKey(publicKey)), network)
  if (address === null) throw new SetupError('The key of the allocator has no address on this chain.')
  return address
}

/** How Bitcoin is put into a configuration. Endpoints are Esplora servers, unless `options.access` says otherwise. */
export const bvmSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createSecp256k1Signer('01'.repeat(32)),
  optionsFor: ({ publicKey }, chain) => ({ depository: depositoryOf(publicKey, chain) }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => bvmAdapter(options as BvmOptions, deps),
})
