import { type ChainSetup, createSecp256k1Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { xrpAdapter } from '../adapter.js'
import { accountOfKey, NATIVE } from '../address/addresses.js'
import { DROPS_DECIMALS } from '../address/amounts.js'
import { ISSUED_DECIMALS } from '../address/issuedValue.js'
import { XRPL_CHAIN_ID, XRPL_TESTNET_CHAIN_ID, type XrpOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: DROPS_DECIMALS, groupId: 'xrp' }
/** A validated ledger is final: there is nothing to settle. */
const confirmations = { fill: 1, success: 1, settle: 0, settleSeconds: 0 }
const common = { native, confirmations, options: {} }

/** The XRP Ledger and its public test network. */
export const publicChains: readonly PublicChain[] = [
  {
    ...common,
    ...{ id: XRPL_CHAIN_ID, slug: 'xrp', name: 'XRP Ledger', network: 'mainnet' },
    explorerUrl: 'https://livenet.xrpl.org',
    tokens: [
      {
        address: '524C555344000000000000000000000000000000.rMxCKbEDwqr76QuheSUMdEGf4B9xJ8m5De',
        symbol: 'RLUSD',
        name: 'Ripple USD',
        decimals: ISSUED_DECIMALS,
        groupId: 'rlusd',
      },
    ],
  },
  {
    ...common,
    ...{ id: XRPL_TESTNET_CHAIN_ID, slug: 'xrp-testnet', name: 'XRP Ledger Testnet', network: 'testnet' },
    explorerUrl: 'https://testnet.xrpl.org',
    tokens: [],
  },
]

/** How XRP Ledgers are put into a configuration: the depository is the account of the allocator's key. */
export const xrpSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createSecp256k1Signer(`0x${'01'.repeat(32)}`),
  optionsFor: ({ publicKey }) => ({ depository: accountOfKey(publicKey) }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => xrpAdapter(options as XrpOptions, deps),
})
