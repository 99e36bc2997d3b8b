import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { accountOfSecret } from './accountOfSecret.js'
import { LOCAL_XRP } from './node/localXrp.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { XrpReader } from './xrpReader.js'
import { XrpWallet } from './xrpWallet.js'

/** Local XRP Ledgers by the contract that all chains share. The network's id is the chain's. */
export const chainTesting: ChainTesting = {
  vmType: 'xrpvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: accountOfSecret(secret), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_XRP, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_XRP, running),
  readChain: (access) => new XrpReader(access),
  openWallet: (access, walletKey) => new XrpWallet(new XrpReader(access), walletKey),
  sandbox: sandboxChain,
}
