import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { LOCAL_TON } from './node/localTon.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { TonReader } from './tonReader.js'
import { TonWallet } from './tonWallet.js'
import { walletOfSecret } from './walletOfSecret.js'

/** Local TON networks by the contract that all chains share. An address is the raw form of a key's wallet v5r1. */
export const chainTesting: ChainTesting = {
  vmType: 'tonvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: walletOfSecret(secret).address.toRawString(), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_TON, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_TON, running),
  readChain: (access) => new TonReader(access),
  openWallet: (access, walletKey) => new TonWallet(new TonReader(access), walletKey),
  sandbox: sandboxChain,
}
