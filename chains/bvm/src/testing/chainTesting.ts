import { bytesToHex } from '@causeway/core'
import type { ChainTesting, LocalChain } from '@causeway/core/testing'
import { accountOf } from './accounts.js'
import { adoptLocalBitcoin, RunningBitcoin, startDetachedBitcoin } from './node/detachedBitcoin.js'
import { startLocalBitcoin } from './node/localBitcoin.js'
import { NATIVE_CURRENCY, sandboxChain } from './sandboxChain.js'
import { BitcoinReader, BitcoinWallet } from './testWallet.js'

const BLOCK_MS = 1000

const controlOf = (chainId: number, chain: RunningBitcoin): LocalChain => ({
  chainId,
  endpoint: { http: chain.url },
  pid: chain.pid,
  // Every chain of regtest begins with the same block; the one after it is its own.
  genesisHash: () => chain.blockHash(1),
  height: () => chain.height(),
  fund: (address, amount) => chain.fund([{ address, value: amount }]),
  advance: async (blocks) => {
    await chain.mine(blocks)
  },
  reorg: (depth) => chain.reorg(depth, { drop: true }),
  lag: (blocks) => chain.lag(blocks),
  forget: (kept) => chain.prune(kept),
  failNext: (fault) => chain.failNext(fault),
  close: () => chain.close(),
})

/** Local Bitcoin chains for whoever knows chains by the contract alone. */
export const chainTesting: ChainTesting = {
  vmType: 'bvm',
  native: NATIVE_CURRENCY,
  keyOf: (secret) => {
    const { addresses, wif } = accountOf(secret)
    return { address: addresses.p2wpkh, privateKey: bytesToHex(secret), walletKey: wif }
  },
  startLocalChain: async ({ chainId, detached = false, blockMs = BLOCK_MS, port = 0, logPath }) => {
    if (detached)
      return controlOf(
        chainId,
        await startDetachedBitcoin({ port, blockMs, ...(logPath === undefined ? {} : { logPath }) }),
      )
    const here = await startLocalBitcoin({ port, blockMs })
    const running = { port: Number(new URL(here.url).port), pid: null }
    return controlOf(chainId, new RunningBitcoin({ ...running, end: () => here.close() }))
  },
  adoptLocalChain: async ({ chainId, endpoint, pid }) =>
    controlOf(chainId, await adoptLocalBitcoin({ url: endpoint.http, pid: pid ?? 0 })),
  readChain: ({ endpoint }) => new BitcoinReader(endpoint.http),
  openWallet: ({ endpoint }, walletKey) => new BitcoinWallet(new BitcoinReader(endpoint.http), walletKey),
  sandbox: sandboxChain,
}
