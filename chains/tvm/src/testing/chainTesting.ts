import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { LOCAL_TRON } from './node/localTron.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { TronReader } from './tronReader.js'
import { TronWallet } from './tronWallet.js'
import { addressOfSecret } from './wire/addresses.js'

/** Local Tron networks by the contract that all chains share. */
export const chainTesting: ChainTesting = {
  vmType: 'tvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: addressOfSecret(secret), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_TRON, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_TRON, running),
  readChain: (access) => new TronReader(access),
  openWallet: (access, walletKey) => new TronWallet(new TronReader(access), walletKey),
  sandbox: sandboxChain,
}
