import { type ChainSetup, createEd25519Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { tonAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { walletOf } from '../lane/signRequest.js'
import { resolveOptions, TON_CHAIN_ID, TON_TESTNET_CHAIN_ID, type TonOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: 9, groupId: 'ton' }
/** A masterchain block is final: there is nothing to settle. */
const confirmations = { fill: 1, success: 1, settle: 0, settleSeconds: 0 }

/** TON and its public test network; the operator names the nodes. */
export const publicChains: readonly PublicChain[] = [
  {
    id: TON_CHAIN_ID,
    slug: 'ton',
    name: 'TON',
    network: 'mainnet',
    explorerUrl: 'https://tonviewer.com',
    native,
    confirmations,
    options: {},
    tokens: [
      {
        address: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
        symbol: 'USDT',
        name: 'Tether USD',
        decimals: 6,
        groupId: 'usdt',
      },
    ],
  },
  {
    id: TON_TESTNET_CHAIN_ID,
    slug: 'ton-testnet',
    name: 'TON Testnet',
    network: 'testnet',
    explorerUrl: 'https://testnet.tonviewer.com',
    native,
    confirmations,
    options: {},
    tokens: [],
  },
]

/** How TON networks are put into a configuration: the depository is the wallet v5r1 of the allocator's key. */
export const tonSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createEd25519Signer(`0x${'01'.repeat(32)}`),
  optionsFor: (allocator, { id, options }) => {
    const { networkId } = resolveOptions({ ...options, depository: NATIVE }, id)
    return { depository: walletOf(allocator, networkId).address.toRawString() }
  },
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => tonAdapter(options as TonOptions, deps),
})
