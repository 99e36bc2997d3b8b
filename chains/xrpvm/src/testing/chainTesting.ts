import { bytesToHex } from '@causeway/core'
import type { ChainTesting, LocalChain } from '@causeway/core/testing'
import { accountOfKey } from '../depositAddress/depositAccountKey.js'
import { issuedOf } from './node/issuedUnits.js'
import { adoptLocalXrp, type LocalXrpLedger, startLocalXrp } from './node/localXrp.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { XrpReader } from './xrpReader.js'
import { XrpWallet } from './xrpWallet.js'

const controlOf = (chainId: number, chain: LocalXrpLedger): LocalChain => ({
  chainId,
  endpoint: { http: chain.rpcUrl, ws: chain.wsUrl },
  pid: chain.pid,
  genesisHash: () => chain.genesisHash(),
  height: () => chain.height(),
  fund: (address, amount, currency = NATIVE_CURRENCY.address) =>
    issuedOf(currency) === null ? chain.fund(address, amount) : chain.fund(address, amount, currency),
  advance: (ledgers) => chain.advance(ledgers),
  // What is validated stays (chains.md xrpvm 4).
  reorg: null,
  lag: (ledgers) => chain.lag(ledgers),
  forget: (kept) => chain.forget(kept),
  failNext: (fault) => chain.failNext(fault),
  close: () => chain.close(),
})

/** Local XRP Ledgers for whoever knows chains by the contract alone. The network's id is the chain's. */
export const chainTesting: ChainTesting = {
  vmType: 'xrpvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: accountOfKey(secret), privateKey, walletKey: privateKey }
  },
  startLocalChain: async ({ chainId, ...options }) =>
    controlOf(chainId, await startLocalXrp({ ...options, networkId: chainId })),
  adoptLocalChain: async ({ chainId, endpoint, pid }) => {
    const chain = await adoptLocalXrp({ rpcUrl: endpoint.http, pid })
    if (chain.networkId === chainId) return controlOf(chainId, chain)
    throw new Error(`The ledger at ${endpoint.http} is of the network ${chain.networkId}, not ${chainId}`)
  },
  readChain: (access) => new XrpReader(access),
  openWallet: (access, walletKey) => new XrpWallet(new XrpReader(access), walletKey),
  sandbox: sandboxChain,
}
