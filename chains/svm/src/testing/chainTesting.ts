import { bytesToHex } from '@causeway/core'
import { ed25519Address } from '@causeway/core/chain'
import type { ChainTesting, LocalChain } from '@causeway/core/testing'
import { NATIVE } from '../address/addresses.js'
import { adoptLocalSvm, type LocalSvmChain, startLocalSvm } from './node/localSvm.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { SvmReader, SvmWallet } from './testWallet.js'

const controlOf = (chainId: number, chain: LocalSvmChain): LocalChain => ({
  chainId,
  endpoint: { http: chain.rpcUrl, ws: chain.wsUrl },
  pid: chain.pid,
  genesisHash: () => chain.connection.getGenesisHash(),
  height: () => chain.connection.getSlot(),
  fund: (address, amount, currency = NATIVE) =>
    currency === NATIVE ? chain.fund(address, amount) : chain.fund(address, amount, currency),
  advance: (slots) => chain.advance(slots),
  reorg: (depth) => chain.dropSlots(depth),
  lag: (slots) => chain.lag(slots),
  forget: (kept) => chain.forget(kept),
  failNext: (fault) => chain.failNext(fault),
  close: () => chain.close(),
})

/** Local Solana chains for whoever knows chains by the contract alone. A block is a slot. */
export const chainTesting: ChainTesting = {
  vmType: 'svm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const privateKey = bytesToHex(secret)
    return { address: ed25519Address(secret), privateKey, walletKey: privateKey }
  },
  startLocalChain: async ({ chainId, blockMs, ...options }) =>
    controlOf(chainId, await startLocalSvm({ ...options, ...(blockMs === undefined ? {} : { slotMs: blockMs }) })),
  adoptLocalChain: async ({ chainId, endpoint, pid }) =>
    controlOf(chainId, await adoptLocalSvm({ rpcUrl: endpoint.http, pid: pid ?? 0 })),
  readChain: (access) => new SvmReader(access),
  openWallet: (access, walletKey) => new SvmWallet(new SvmReader(access), walletKey),
  sandbox: sandboxChain,
}
