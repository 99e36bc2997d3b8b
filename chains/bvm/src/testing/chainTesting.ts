import { bytesToHex } from '@causeway/core'
import { adoptLedger, type ChainTesting, startLedger } from '@causeway/core/testing'
import { accountOf } from './accounts.js'
import { LOCAL_BITCOIN } from './node/detachedBitcoin.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { BitcoinReader, BitcoinWallet } from './testWallet.js'

/** Local Bitcoin chains for whoever knows chains by the contract alone. */
export const chainTesting: ChainTesting = {
  vmType: 'bvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const { addresses, wif } = accountOf(secret)
    return { address: addresses.p2wpkh, privateKey: bytesToHex(secret), walletKey: wif }
  },
  startLocalChain: (options) => startLedger(LOCAL_BITCOIN, options),
  adoptLocalChain: (running) => adoptLedger(LOCAL_BITCOIN, running),
  readChain: ({ endpoint }) => new BitcoinReader(endpoint.http),
  openWallet: ({ endpoint }, walletKey) => new BitcoinWallet(new BitcoinReader(endpoint.http), walletKey),
  sandbox: sandboxChain,
}
