import { type ChainSetup, createSecp256k1Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { tronAdapter } from '../adapter.js'
import { NATIVE, TRX_DECIMALS } from '../address/addresses.js'
import { addressOfKey } from '../address/keyAddress.js'
import { NILE_CHAIN_ID, SHASTA_CHAIN_ID, TRON_CHAIN_ID, type TronOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'TRX', name: 'TRON', decimals: TRX_DECIMALS, groupId: 'trx' }
/** A block is solidified after 19 block producers of 27 built on it (chains.md tvm 4). */
const common = { native, confirmations: { fill: 2, success: 1, settle: 20, settleSeconds: 60 }, options: {} }

const usdt = (address: string) => ({ address, symbol: 'USDT', name: 'Tether USD', decimals: 6, groupId: 'usdt' })

/** Tron and its public test networks; the operator names the nodes. */
export const publicChains: readonly PublicChain[] = [
  {
    ...common,
    ...{ id: TRON_CHAIN_ID, slug: 'tron', name: 'Tron', network: 'mainnet' },
    explorerUrl: 'https://tronscan.org',
    tokens: [usdt('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')],
  },
  {
    ...common,
    ...{ id: NILE_CHAIN_ID, slug: 'tron-nile', name: 'Tron Nile', network: 'testnet' },
    explorerUrl: 'https://nile.tronscan.org',
    tokens: [usdt('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf')],
  },
  {
    ...common,
    ...{ id: SHASTA_CHAIN_ID, slug: 'tron-shasta', name: 'Tron Shasta', network: 'testnet' },
    explorerUrl: 'https://shasta.tronscan.org',
    tokens: [usdt('TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs')],
  },
]

/** Stands for the depository until the operator has deployed one and names it. */
const ANY_KEY = createSecp256k1Signer(`0x${'01'.repeat(32)}`)

/** How Tron networks are put into a configuration. The operator deploys the depository, and names it in the options. */
export const tronSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: ANY_KEY,
  optionsFor: (signer, { options }) =>
    signer === ANY_KEY && options.depository === undefined ? { depository: addressOfKey(signer.publicKey) } : {},
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => tronAdapter(options as TronOptions, deps),
})
