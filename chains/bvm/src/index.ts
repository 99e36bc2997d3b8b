export { bitcoinAddressCodec } from './address/addressCodec.js'
export {
  NATIVE,
  normalizeCurrency,
  type ParsedAddress,
  parseAddress,
  type ScriptKind,
  validateAddress,
} from './address/addresses.js'
export { addressOfScript } from './address/scriptAddress.js'
export {
  accountOfSeed,
  type DerivedAddress,
  depositAddressSigner,
  deriveDepositAddress,
  readAccountKey,
} from './derive/depositAddress.js'
export {
  BITCOIN_CHAIN_ID,
  BITCOIN_TESTNET_CHAIN_ID,
  type BitcoinNetwork,
  NETWORKS,
  type NetworkName,
} from './network/networks.js'
export { type BvmOptions, bvmOptions } from './options.js'
