import { type ChainSetup, createSecp256k1Signer, type PublicChain } from '@causeway/core/chain'
import { adapterSetup } from '@causeway/core/chain-kit'
import { lighterAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { USDC_DECIMALS } from '../address/assets.js'
import { LIGHTER_CHAIN_ID, LIGHTER_TESTNET_CHAIN_ID, type LighterOptions } from '../options.js'

const native = { address: NATIVE, symbol: 'USDC', name: 'USDC (perps)', decimals: USDC_DECIMALS, groupId: 'usdc' }
/** A committed transfer is final: there is nothing to settle. */
const common = { native, confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 }, options: {} }

/** Spot currencies that every deployment may list; their decimal places are checked at the exchange. */
const tokens = [
  { address: '1', symbol: 'ETH', name: 'Ether (spot)', decimals: 8, groupId: 'eth' },
  { address: '3', symbol: 'USDC', name: 'USDC (spot)', decimals: USDC_DECIMALS, groupId: 'usdc' },
]

/** Lighter and its test network; the operator names the API servers. */
export const publicChains: readonly PublicChain[] = [
  {
    ...common,
    ...{ id: LIGHTER_CHAIN_ID, slug: 'lighter', name: 'Lighter', network: 'mainnet', tokens },
    explorerUrl: 'https://app.lighter.xyz/explorer',
  },
  {
    ...common,
    ...{
      id: LIGHTER_TESTNET_CHAIN_ID,
      slug: 'lighter-testnet',
      name: 'Lighter Testnet',
      network: 'testnet',
      tokens: [],
    },
    explorerUrl: 'https://testnet.app.lighter.xyz/explorer',
  },
]

/** While no account is configured: `doctor` refuses the treasury of the exchange as a depository. */
const NO_ACCOUNTS: LighterOptions = { depository: '0', accounts: [] }

/** How Lighter is put into a configuration: an account index follows from no key, so the operator enters accounts and owners. */
export const lighterSetup: ChainSetup = adapterSetup({
  publicChains,
  anyAllocator: createSecp256k1Signer(`0x${'01'.repeat(32)}`),
  optionsFor: () => ({ ...NO_ACCOUNTS }),
  // CAST: the options of the list, with their depository.
  create: async (options, deps) => lighterAdapter(options as LighterOptions, deps),
})
