import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { HederaReader } from './hederaReader.js'
import { addressOfKey, HederaWallet } from './hederaWallet.js'
import { LOCAL_HEDERA } from './node/localHedera.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'

/** Local Hedera networks by the contract that all chains share. An address is the EVM address of a key. */
export const chainTesting: ChainTesting = {
  vmType: 'hederavm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: addressOfKey(privateKey), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_HEDERA, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_HEDERA, running),
  readChain: (access) => new HederaReader(access),
  openWallet: (access, walletKey) => new HederaWallet(access, walletKey),
  sandbox: sandboxChain,
}
