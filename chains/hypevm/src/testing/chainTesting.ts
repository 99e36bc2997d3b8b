import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { HyperliquidReader } from './hyperliquidReader.js'
import { accountOfKey, HyperliquidWallet } from './hyperliquidWallet.js'
import { LOCAL_HYPERLIQUID } from './node/localHyperliquid.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'

/** Local exchanges by the contract that all chains share. */
export const chainTesting: ChainTesting = {
  vmType: 'hypevm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: accountOfKey(privateKey).address.toLowerCase(), privateKey, walletKey: privateKey }
  },
  startLocalChain: (options) => startLedger(LOCAL_HYPERLIQUID, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_HYPERLIQUID, running),
  readChain: (access) => new HyperliquidReader(access),
  openWallet: (access, walletKey) => new HyperliquidWallet(access, walletKey),
  sandbox: sandboxChain,
}
