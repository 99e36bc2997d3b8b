import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { indexOfOwner } from './engine/owner.js'
import { LighterReader } from './lighterReader.js'
import { LighterWallet, ownerOf } from './lighterWallet.js'
import { LOCAL_LIGHTER } from './node/localLighter.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'

/** Local Lighter exchanges by the contract that all chains share. The L2 chain id is that of the chain. */
export const chainTesting: ChainTesting = {
  vmType: 'lvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: indexOfOwner(ownerOf(privateKey).address), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_LIGHTER, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_LIGHTER, running),
  readChain: (access) => new LighterReader(access),
  openWallet: (access, walletKey) => new LighterWallet(access, walletKey),
  sandbox: sandboxChain,
}
