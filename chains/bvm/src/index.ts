export { NATIVE, normalizeCurrency, parseAddress, validateAddress } from './address/addresses.js'
export { BITCOIN_CHAIN_ID, BITCOIN_TESTNET_CHAIN_ID, NETWORKS } from './network/networks.js'
export { type BvmOptions, bvmOptions } from './options.js'
